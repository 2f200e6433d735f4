import { useSignal } from '@preact/signals'
import { Button } from '../../../parts/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../../parts/dialog.tsx'
import { TextField } from '../../../parts/fields.tsx'
import type { EditorModel } from '../model/editor-model.ts'

/** Gives the template another name, which is saved with the other changes. */
export function Rename({ model, onClose }: { model: EditorModel; onClose(): void }) {
  const name = useSignal(model.fields.value.name)
  const problem = useSignal<string | undefined>(undefined)
  const submit = (event: Event) => {
    event.preventDefault()
    const wanted = name.value.trim()
    problem.value = wanted === '' ? 'Enter a name.' : undefined
    if (wanted === '') return
    model.change({ name: wanted })
    onClose()
  }
  return (
    <Dialog title="Rename the template" onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <DialogBody>
          <TextField
            label="Name"
            hint={`Requests name it by its slug, ${model.template.value.slug}, which stays.`}
            maxLength={200}
            value={name.value}
            error={problem.value}
            onInput={(value) => {
              name.value = value
            }}
          />
        </DialogBody>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary">
            Rename
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
