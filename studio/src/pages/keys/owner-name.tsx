import { useSignal } from '@preact/signals'
import { api, unwrap } from '../../api/client.ts'
import { TextField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useAction } from '../../parts/use-action.ts'
import type { Owner } from './resources.ts'

interface OwnerNameProps {
  /** Undefined creates one. */
  owner: Owner | undefined
  onClose(): void
  onDone(): void
}

/** Creates an owner, or renames one. */
export function OwnerName({ owner, onClose, onDone }: OwnerNameProps) {
  const name = useSignal(owner?.name ?? '')
  const action = useAction()
  const submit = async () => {
    const body = { name: name.value.trim() }
    const isDone = await action.run(async () => {
      if (owner === undefined) await unwrap(api.POST('/v1/owners', { body }))
      else await unwrap(api.PATCH('/v1/owners/{id}', { params: { path: { id: owner.id } }, body }))
    })
    if (!isDone) return
    onDone()
    onClose()
  }
  const problem = action.problemBeside('name')
  return (
    <FormDialog
      title={owner === undefined ? 'New owner' : `Rename “${owner.name}”`}
      submit={owner === undefined ? 'Create owner' : 'Rename owner'}
      busy={action.busy}
      problem={problem}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name.value}
        maxLength={100}
        error={action.problemOf('name')}
        onInput={(value) => {
          name.value = value
        }}
      />
    </FormDialog>
  )
}
