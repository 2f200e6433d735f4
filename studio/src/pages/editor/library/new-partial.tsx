import { useSignal } from '@preact/signals'
import { TextField } from '../../../parts/fields.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'

interface NewPartialProps {
  names: readonly string[]
  onNamed(name: string): void
  onClose(): void
}

/** Asks for the name of a partial, which does not change later. */
export function NewPartial({ names, onNamed, onClose }: NewPartialProps) {
  const name = useSignal('')
  const problem = useSignal<string | undefined>(undefined)
  const refusal = (wanted: string) => {
    if (wanted === '') return 'Enter a name.'
    if (names.includes(wanted)) return 'There is a partial with this name.'
    if (!/^[A-Za-z][\w-]*$/.test(wanted)) return 'It begins with a letter, and has letters, digits, _ and - only.'
    return undefined
  }
  const submit = () => {
    const wanted = name.value.trim()
    problem.value = refusal(wanted)
    if (problem.value !== undefined) return
    onClose()
    onNamed(wanted)
  }
  return (
    <FormDialog title="New partial" submit="Create partial" onSubmit={submit} onClose={onClose}>
      <TextField
        label="Name"
        hint="Such as letterhead. Templates print it as {{> letterhead}}."
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
