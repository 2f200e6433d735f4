import { useSignal } from '@preact/signals'
import { useEffect, useId } from 'preact/hooks'
import type { PagedList } from '../../api/paged-list.ts'
import { mayUse } from '../../api/session-state.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { formatTime } from '../../parts/format.ts'
import { Link } from '../../parts/link.tsx'
import { Page } from '../../parts/page.tsx'
import { useShortcut } from '../../parts/shortcuts.ts'
import { Notice } from '../../parts/states.tsx'
import { queryValue, setQuery } from '../../router/address.ts'
import { authorOf } from './authors.ts'
import { Differences } from './differences.tsx'
import { LabelVersion } from './label-version.tsx'
import type { Version, VersionedTemplate } from './resources.ts'
import { VersionList } from './version-list.tsx'

const wide = matchMedia('(min-width: 1100px)')

/** Whether the list of versions is shown: as the address says, else where there is room for it. */
function usePanel(): { isOpen: boolean; toggle(): void } {
  const isWide = useSignal(wide.matches)
  useEffect(() => {
    const changed = () => {
      isWide.value = wide.matches
    }
    wide.addEventListener('change', changed)
    return () => wide.removeEventListener('change', changed)
  }, [])
  const wanted = queryValue('list')
  const isOpen = wanted === '' ? isWide.value : wanted === 'shown'
  const toggle = () => {
    const next = !isOpen
    setQuery({ list: next === isWide.value ? '' : next ? 'shown' : 'hidden' })
  }
  return { isOpen, toggle }
}

interface ReviewProps {
  template: VersionedTemplate
  list: PagedList<Version>
  from: number
  to: number
  /** Labels or versions have changed. */
  onChanged(): void
}

/** Two versions of a template side by side, with the list of all at the left. */
export function Review({ template, list, from, to, onChanged }: ReviewProps) {
  const labelled = useSignal<{ version: number; label?: string } | undefined>(undefined)
  const panel = usePanel()
  useShortcut('v', 'Show or hide the list of versions', panel.toggle)
  const { id, name, isDeleted } = template
  const mayWrite = mayUse('templates:write')
  const giveLabel = (version: number) => {
    labelled.value = { version }
  }
  return (
    <Page
      title={`Versions of ${name}`}
      layout="wide"
      beside={
        <div class="versions-bar">
          <VersionChoice name="from" label="From" chosen={from} list={list} />
          <IconButton
            icon="arrow-left-right"
            label="Swap the versions"
            onClick={() => setQuery({ from: String(to), to: String(from), page: '' }, { replace: false })}
          />
          <VersionChoice name="to" label="To" chosen={to} list={list} />
        </div>
      }
      actions={
        <>
          {!isDeleted && (
            <Link to={`/templates/${id}`} class="button">
              Open editor
            </Link>
          )}
          {mayWrite && !isDeleted && (
            <Button tone="primary" icon="tag" onClick={() => giveLabel(to)}>
              Label version {to}
            </Button>
          )}
        </>
      }
    >
      {isDeleted && (
        <Notice tone="warn">This template was deleted. Restore one of its versions to use it again.</Notice>
      )}
      <div class="versions" data-panel={panel.isOpen ? 'open' : 'closed'}>
        {panel.isOpen && (
          <section class="versions-panel" aria-label="Versions">
            <VersionList
              template={template}
              list={list}
              from={from}
              to={to}
              onChanged={onChanged}
              onLabel={giveLabel}
            />
          </section>
        )}
        <section class="versions-review" aria-label={`Versions ${from} and ${to}`}>
          <Differences key={`${from} ${to}`} template={template} from={from} to={to} panel={panel} />
        </section>
      </div>
      {labelled.value && (
        <LabelVersion
          template={template}
          onChanged={onChanged}
          version={labelled.value.version}
          onClose={() => {
            labelled.value = undefined
          }}
        />
      )}
    </Page>
  )
}

interface VersionChoiceProps {
  name: 'from' | 'to'
  label: string
  chosen: number
  list: PagedList<Version>
}

/** Chooses one of the two versions. It is part of the address. */
function VersionChoice({ name, label, chosen, list }: VersionChoiceProps) {
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
