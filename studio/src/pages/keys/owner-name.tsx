import { useSignal } from '@preact/signals'
import { api, unwrap } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Notice } from '../../parts/states.tsx'
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
  const submit = async (event: Event) => {
    event.preventDefault()
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
    <Dialog title={owner === undefined ? 'New owner' : `Rename “${owner.name}”`} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <DialogBody>
          <TextField
            label="Name"
            value={name.value}
            maxLength={100}
            error={action.problemOf('name')}
            onInput={(value) => {
              name.value = value
            }}
          />
          {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
        </DialogBody>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={action.busy}>
            {owner === undefined ? 'Create owner' : 'Rename owner'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
