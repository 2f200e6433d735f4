import type { PagedList } from '../../api/paged-list.ts'
import { Badge } from '../../parts/badge.tsx'
import { Empty } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import type { Column } from '../../parts/table-column.ts'
import { Time } from '../../parts/time.tsx'
import { address } from '../../router/address.ts'
import { authorOf, changeOf } from './authors.ts'
import { published, versionBefore } from './chosen-versions.ts'
import type { Version, VersionedTemplate } from './resources.ts'
import { VersionActions } from './version-actions.tsx'

interface VersionListProps {
  template: VersionedTemplate
  list: PagedList<Version>
  from: number
  to: number
  onLabel(version: number): void
  onChanged(): void
}

/** Every version, newest first. A click compares one with the version before. */
export function VersionList({ template, list, from, to, onLabel, onChanged }: VersionListProps) {
  const versions = list.items.value
  const linkOf = ({ version, change }: Version) => {
    const shown = change === 'deleted' ? version - 1 : version
    return addressOf(template.id, versionBefore(shown, versions), shown)
  }
  const columns: readonly Column<Version>[] = [
    {
      id: 'version',
      header: 'Versions',
      cell: (version) => <VersionCell version={version} side={sideOf(version.version, from, to)} />,
    },
    {
      id: 'actions',
      header: '',
      label: 'Actions',
      width: '34px',
      align: 'end',
      cell: (version) => (
        <VersionActions
          template={template}
          version={version}
          from={from}
          to={to}
          onLabel={onLabel}
          onChanged={onChanged}
        />
      ),
    },
  ]
  return (
    <Table
      label="Versions"
      list={list}
      columns={columns}
      idOf={({ version }) => String(version)}
      linkOf={linkOf}
      empty={<Empty icon="history" title="No versions" />}
    />
  )
}

/** The page with these versions, and what else is chosen. */
function addressOf(id: string, from: number, to: number): string {
  const query = new URLSearchParams(address.value.searchParams)
  query.set('from', String(from))
  query.set('to', String(to))
  query.delete('page')
  return `/templates/${id}/versions?${query}`
}

type Side = 'from' | 'to' | 'between' | undefined

function sideOf(version: number, from: number, to: number): Side {
  if (version === to) return 'to'
  if (version === from) return 'from'
  return version > Math.min(from, to) && version < Math.max(from, to) ? 'between' : undefined
}

function VersionCell({ version, side }: { version: Version; side: Side }) {
  const change = changeOf(version)
  return (
    <span class="versions-row" data-side={side} title={change}>
      <span class="versions-row-title">
        Version {version.version}
        {version.labels.map((label) => (
          <Badge key={label} tone={label === published ? 'ok' : undefined}>
            {label}
          </Badge>
        ))}
        {(side === 'from' || side === 'to') && <span class="versions-row-side">{side}</span>}
      </span>
      <span class="versions-row-about">
        <Time at={version.created_at} /> · {authorOf(version)} · {change}
      </span>
    </span>
  )
}
