import { useSignal } from '@preact/signals'
import { api, unwrap } from '../../api/client.ts'
import { signIn } from '../../api/session.ts'
import { currentSession } from '../../api/session-state.ts'
import { SelectField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Notice } from '../../parts/states.tsx'
import { useAction } from '../../parts/use-action.ts'
import { IssuedSecret } from './issued-secret.tsx'
import type { ApiKey } from './resources.ts'

const graces = [
  { value: '0', text: 'Refused at once' },
  { value: '3600', text: 'Accepted for an hour' },
  { value: '86400', text: 'Accepted for a day' },
  { value: '604800', text: 'Accepted for a week' },
  { value: '2419200', text: 'Accepted for four weeks' },
]

interface RotateKeyProps {
  apiKey: ApiKey
  onClose(): void
  onRotated(): void
}

/** Replaces the secret of a key, and shows the new one once. */
export function RotateKey({ apiKey: { id, name }, onClose, onRotated }: RotateKeyProps) {
  const grace = useSignal('86400')
  const secret = useSignal<string | undefined>(undefined)
  const action = useAction()
  const isOwn = id === currentSession().api_key.id
  const submit = async () => {
    await action.run(async () => {
      const params = { path: { id }, query: { grace_s: Number(grace.value) } }
      const { key } = await unwrap(api.POST('/v1/keys/{id}/rotate', { params }))
      secret.value = key
      // Else the session would end with the old secret, and take the only copy of the new one with it.
      if (isOwn) await signIn(key)
      onRotated()
    })
  }
  if (secret.value !== undefined) {
    return <IssuedSecret title={`The new secret of “${name}”`} secret={secret.value} onClose={onClose} />
  }
  return (
    <FormDialog
      title={`Rotate the key “${name}”`}
      submit="Rotate key"
      busy={action.busy}
      problem={action.problemBeside()}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <p>The key gets a new secret, and keeps its id, owner and scopes.</p>
      <SelectField
        label="The old secret is then"
        value={grace.value}
        options={graces}
        onChange={(value) => {
          grace.value = value
        }}
      />
      {isOwn && <Notice tone="info">You are signed in with this key. The session goes on with the new secret.</Notice>}
    </FormDialog>
  )
}
