import { useSignal } from '@preact/signals'
import { api, type Schemas, unwrap, unwrapExact } from '../../api/client.ts'
import type { PagedList } from '../../api/paged-list.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Notice } from '../../parts/states.tsx'
import { notify } from '../../parts/toasts.tsx'
import { useAction } from '../../parts/use-action.ts'
import { copyOf } from './copy-of.ts'
import type { ListedTemplate } from './listed-template.ts'

interface DuplicateTemplateProps {
  template: ListedTemplate
  list: PagedList<ListedTemplate>
  onClose(): void
}

/** Makes a template with the content of another one. */
export function DuplicateTemplate({ template, list, onClose }: DuplicateTemplateProps) {
  const name = useSignal(`${template.name} copy`)
  const action = useAction()
  const submit = async (event: Event) => {
    event.preventDefault()
    const isDone = await action.run(async () => {
      const path = { idOrSlug: template.id }
      const call = api.GET('/v1/templates/{idOrSlug}', { params: { path }, parseAs: 'text' })
      const whole = await unwrapExact<Schemas['Template']>(call)
      await unwrap(api.POST('/v1/templates', { body: copyOf(whole, name.value.trim()) }))
    })
    if (!isDone) return
    onClose()
    notify(`“${name.value.trim()}” was created`)
    await list.reload()
  }
  return (
    <Dialog title={`Duplicate “${template.name}”`} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <DialogBody>
          <TextField
            label="Name of the copy"
            value={name.value}
            maxLength={200}
            error={action.problemOf('name')}
            onInput={(value) => {
              name.value = value
            }}
          />
          {action.problemBeside('name') && <Notice tone="bad">{action.problemBeside('name')}</Notice>}
        </DialogBody>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={action.busy}>
            Duplicate template
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
