import { useSignal } from '@preact/signals'
import { TextField } from '../../../parts/fields.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import type { EditorModel } from '../model/editor-model.ts'

/** Gives the template another name, which is saved with the other changes. */
export function Rename({ model, onClose }: { model: EditorModel; onClose(): void }) {
  const name = useSignal(model.fields.value.name)
  const problem = useSignal<string | undefined>(undefined)
  const submit = () => {
    const wanted = name.value.trim()
    problem.value = wanted === '' ? 'Enter a name.' : undefined
    if (wanted === '') return
    model.change({ name: wanted })
    onClose()
  }
  return (
    <FormDialog title="Rename the template" submit="Rename" onSubmit={submit} onClose={onClose}>
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
    </FormDialog>
  )
}
