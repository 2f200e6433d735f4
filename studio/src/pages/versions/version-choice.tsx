import { useId } from 'preact/hooks'
import type { PagedList } from '../../api/paged-list.ts'
import { formatTime } from '../../parts/format.ts'
import { setQuery } from '../../router/address.ts'
import { authorOf } from './authors.ts'
import type { Version } from './resources.ts'

interface VersionChoiceProps {
  name: 'from' | 'to'
  label: string
  chosen: number
  list: PagedList<Version>
}

/** Chooses one of the two versions. It is part of the address. */
export function VersionChoice({ name, label, chosen, list }: VersionChoiceProps) {
  const id = useId()
  const versions = list.items.value.filter(({ change, version }) => change !== 'deleted' || version === chosen)
  const isListed = versions.some(({ version }) => version === chosen)
  return (
    <div class="versions-choice">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="control"
        value={String(chosen)}
        onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value, page: '' }, { replace: false })}
      >
        {!isListed && (
          <option value={String(chosen)} selected>
            Version {chosen}
          </option>
        )}
        {versions.map((version) => (
          <option key={version.version} value={String(version.version)} selected={version.version === chosen}>
            {textOf(version)}
          </option>
        ))}
      </select>
    </div>
  )
}

function textOf(version: Version): string {
  const labels = version.labels.length > 0 ? ` (${version.labels.join(', ')})` : ''
  return `Version ${version.version}${labels} · ${formatTime(version.created_at)} · ${authorOf(version)}`
}
