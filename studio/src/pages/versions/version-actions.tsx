import { api, unwrap } from '../../api/client.ts'
import { mayUse } from '../../api/session-state.ts'
import { attempt } from '../../parts/attempt.ts'
import { confirm } from '../../parts/confirm.tsx'
import { Menu, type MenuItem } from '../../parts/menu.tsx'
import { notify } from '../../parts/toasts.tsx'
import { setQuery } from '../../router/address.ts'
import type { Version, VersionedTemplate } from './resources.ts'

interface VersionActionsProps {
  template: VersionedTemplate
  version: Version
  from: number
  to: number
  onLabel(version: number): void
  onChanged(): void
}

/** What can be done with a version of the list. */
export function VersionActions({ template, version: shown, from, to, onLabel, onChanged }: VersionActionsProps) {
  const { version, change, labels } = shown
  if (change === 'deleted') return null
  const compare = (pair: { from?: number; to?: number }) => {
    const query = { from: String(pair.from ?? from), to: String(pair.to ?? to), page: '' }
    setQuery(query, { replace: false })
  }
  const items: MenuItem[] = [
    { text: 'Compare from here', icon: 'git-compare', run: () => compare({ from: version }) },
    { text: 'Compare to here', icon: 'git-compare', run: () => compare({ to: version }) },
  ]
  if (mayUse('templates:write')) {
    if (!template.isDeleted) items.push({ text: 'Give a label', icon: 'tag', run: () => onLabel(version) })
    for (const label of labels) {
      const run = () => void removeLabel({ template, version, label, onChanged })
      items.push({ text: `Remove the label ${label}`, icon: 'x', run })
    }
    if (version !== template.revision) {
      items.push({ text: 'Restore', icon: 'rotate-ccw', run: () => void restore({ template, version, onChanged }) })
    }
  }
  return <Menu label={`Actions of version ${version}`} items={items} />
}

interface Act {
  template: VersionedTemplate
  version: number
  onChanged(): void
}

async function restore({ template, version, onChanged }: Act): Promise<void> {
  const { id, revision, isDeleted, labels } = template
  const next = revision + 1
  const placed = Object.entries(labels).map(([label, at]) => `${label} stays at version ${at}`)
  const isConfirmed = await confirm({
    title: `Restore version ${version} as version ${next}?`,
    body: (
      <>
        <p>
          Version {next} gets the content of version {version}, with the partials and assets that it was saved with.
          {isDeleted ? ' The template gets its slug back.' : ' The versions in between stay.'}
        </p>
        {placed.length > 0 && <p>Labels do not move: {placed.join(', ')}.</p>}
      </>
    ),
    action: `Restore version ${version}`,
  })
  if (!isConfirmed) return
  await attempt(async () => {
    // Refused if somebody has saved another version meanwhile.
    const header = { 'if-match': `"${revision}"` }
    const params = { path: { idOrSlug: id }, ...(!isDeleted && { header }) }
    const restored = await unwrap(api.POST('/v1/templates/{idOrSlug}/restore', { params, body: { version } }))
    if (restored.version === revision) {
      notify(`Version ${revision} has the content of version ${version} already`)
      return
    }
    notify(`Version ${restored.version} has the content of version ${version}`)
    onChanged()
    setQuery({ from: String(template.newest), to: String(restored.version), page: '' }, { replace: false })
  })
}

async function removeLabel({ template, version, label, onChanged }: Act & { label: string }): Promise<void> {
  const isConfirmed = await confirm({
    title: `Remove the label “${label}” from version ${version}?`,
    body: 'Requests that name it are refused from then on. The version stays.',
    action: 'Remove label',
    tone: 'danger',
  })
  if (!isConfirmed) return
  await attempt(async () => {
    const path = { idOrSlug: template.id, label }
    await unwrap(api.DELETE('/v1/templates/{idOrSlug}/labels/{label}', { params: { path } }))
    notify(`The label “${label}” was removed`)
    onChanged()
  })
}
