import type { Schemas } from '../../api/client.ts'
import { StatusBadge } from '../../parts/badge.tsx'
import { count, formatBytes, formatDuration, formatNumber } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import type { Column } from '../../parts/table-column.ts'
import { Time } from '../../parts/time.tsx'
import { templateName } from './template-names.ts'

export type Generation = Schemas['Generation']

/** The columns of the list. That of all owners names the owner of each, for which it has the names of owners. */
export function generationColumns(owners: ReadonlyMap<string, string> | undefined): Column<Generation>[] {
  return owners === undefined ? [document, status, ...rest] : [document, status, ownerColumn(owners), ...rest]
}

const document: Column<Generation> = {
  id: 'document',
  header: 'Document',
  cell: ({ id, file_name, error }) => (
    <>
      {file_name ?? <code>{id}</code>}
      {error !== undefined && <code class="generations-code">{error.code}</code>}
    </>
  ),
}
const status: Column<Generation> = {
  id: 'status',
  header: 'Status',
  width: '8.5rem',
  cell: ({ status, warnings = [] }) => (
    <>
      <StatusBadge status={status} />
      {warnings.length > 0 && <WarningCount value={warnings.length} />}
    </>
  ),
}

function ownerColumn(owners: ReadonlyMap<string, string>): Column<Generation> {
  return {
    id: 'owner',
    header: 'Owner',
    width: '9rem',
    cell: ({ owner_id = '' }) => owners.get(owner_id) ?? <code class="secondary">{owner_id}</code>,
  }
}

const rest: readonly Column<Generation>[] = [
  {
    id: 'template',
    header: 'Template',
    width: '10rem',
    isWide: true,
    cell: ({ template, owner_id }) => template !== undefined && <TemplateOf {...template} owner={owner_id} />,
  },
  {
    id: 'pages',
    header: 'Pages',
    width: '4rem',
    align: 'end',
    cell: ({ pages }) => pages !== undefined && formatNumber(pages),
  },
  {
    id: 'size',
    header: 'Size',
    width: '5rem',
    align: 'end',
    isWide: true,
    cell: ({ size }) => size !== undefined && formatBytes(size),
  },
  {
    id: 'duration',
    header: 'Duration',
    width: '5.5rem',
    align: 'end',
    cell: ({ duration_ms }) => duration_ms !== undefined && formatDuration(duration_ms),
  },
  { id: 'created', header: 'Created', width: '8rem', cell: ({ created_at }) => <Time at={created_at} /> },
]

function TemplateOf({ id, version, owner }: { id: string; version: number; owner: string | undefined }) {
  const name = templateName(id, owner)
  return (
    <>
      {name ?? <code class="secondary">{id}</code>} <span class="secondary">{version}</span>
    </>
  )
}

function WarningCount({ value }: { value: number }) {
  return (
    <span class="generations-warnings" title={count(value, 'warning')}>
      <Icon name="triangle-alert" label={count(value, 'warning')} />
      {formatNumber(value)}
    </span>
  )
}
