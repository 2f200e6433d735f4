import { useSignal } from '@preact/signals'
import { TextField } from '../../../parts/fields.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { dataDocument } from '../model/documents.ts'
import type { EditorModel } from '../model/editor-model.ts'

interface NameSetProps {
  model: EditorModel
  isNew: boolean
  onNamed(name: string): void
  onClose(): void
}

const maxSets = 50

/** Adds a set of data, which begins as a copy of the one that is shown, or renames that one. */
export function NameSet({ model, isNew, onNamed, onClose }: NameSetProps) {
  const set = model.set.value
  const { samples } = model.fields.value
  const name = useSignal(isNew ? '' : set)
  const problem = useSignal<string | undefined>(undefined)
  const submit = () => {
    const wanted = name.value.trim()
    problem.value = refusal(wanted)
    if (problem.value !== undefined) return
    const text = model.text(dataDocument(set))
    const others = Object.entries(samples).filter(([other]) => isNew || other !== set)
    model.change({ samples: Object.fromEntries([...others, [wanted, text]]) })
    onNamed(wanted)
    onClose()
  }
  const refusal = (wanted: string) => {
    if (wanted === '') return 'Enter a name.'
    if (Object.hasOwn(samples, wanted) && (isNew || wanted !== set)) return 'There is a set with this name.'
    return isNew && Object.keys(samples).length >= maxSets ? `A template has at most ${maxSets} sets.` : undefined
  }
  return (
    <FormDialog
      title={isNew ? 'Add a set of data' : `Rename the set “${set}”`}
      submit={isNew ? 'Add set' : 'Rename set'}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint={
          isNew
            ? 'Such as “two pages” or “without discount”. It begins as a copy of the data that are shown.'
            : undefined
        }
        maxLength={64}
        value={name.value}
        error={problem.value}
        onInput={(value) => {
          name.value = value
        }}
      />
    </FormDialog>
  )
}
