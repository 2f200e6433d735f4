import { api, unwrap } from '../../../api/client.ts'
import { attempt } from '../../../parts/attempt.ts'
import { IconButton } from '../../../parts/button.tsx'
import { confirm } from '../../../parts/confirm.tsx'
import { count } from '../../../parts/format.ts'
import { notify } from '../../../parts/toasts.tsx'
import { useResource } from '../../../parts/use-resource.ts'
import { setQuery } from '../../../router/address.ts'
import type { EditorModel } from '../model/editor-model.ts'

interface PartialBarProps {
  model: EditorModel
  name: string
}

/** The version of a partial and what uses it, above its source. */
export function PartialBar({ model, name }: PartialBarProps) {
  const { version = 0, html = '' } = model.fields.value.partials[name] ?? {}
  const isChanged = model.base.partials[name]?.html !== html
  const usage = useResource(`usage of ${name} ${version}`, async (signal) => {
    if (version === 0) return undefined
    const params = { path: { idOrName: name } }
    return (await unwrap(api.GET('/v1/partials/{idOrName}/usage', { params, signal }))).counts
  })
  const close = () => {
    setQuery({ tab: '' })
    model.closePartial(name)
  }
  const askToClose = async () => {
    const question = {
      title: `Close ${name} without saving?`,
      body: 'What you have changed in this partial is discarded.',
      action: 'Discard changes',
      tone: 'danger' as const,
    }
    if (!isChanged || (await confirm(question))) close()
  }
  const { value: counts } = usage
  const users = counts && `used by ${count(counts.templates, 'template')} and ${count(counts.partials, 'partial')}`
  const remove = async () => {
    const isConfirmed = await confirm({
      title: `Delete the partial ${name}?`,
      body: `It is ${users ?? 'used by an unknown number of templates'}. Versions that were saved with it print as before; templates that follow partials are refused.`,
      action: 'Delete partial',
      tone: 'danger',
    })
    if (!isConfirmed) return
    await attempt(async () => {
      const params = { path: { idOrName: name }, header: { 'if-match': `"${version}"` } }
      await unwrap(api.DELETE('/v1/partials/{idOrName}', { params }))
      model.partialChanges.value++
      close()
      notify(`The partial ${name} is deleted`)
    })
  }
  return (
    <div class="editor-bar editor-hint">
      <span>
        Partial <code>{name}</code>, {version === 0 ? 'not saved yet' : `version ${version}`}
        {users && `, ${users}`}
      </span>
      <span class="space" />
      {model.mayWrite && version > 0 && (
        <IconButton icon="trash-2" label={`Delete ${name}`} onClick={() => void remove()} />
      )}
      <IconButton icon="x" label={`Close ${name}`} onClick={() => void askToClose()} />
    </div>
  )
}
