import { useSignal } from '@preact/signals'
import { api, unwrap } from '../../api/client.ts'
import type { Scope } from '../../api/session-state.ts'
import { CheckField, TextField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useAction } from '../../parts/use-action.ts'
import { IssuedSecret } from './issued-secret.tsx'

const scopes: readonly { scope: Scope; about: string }[] = [
  { scope: 'generate', about: 'make documents' },
  { scope: 'generations:read', about: 'read documents, batches and deliveries' },
  { scope: 'templates:read', about: 'read templates, partials and assets' },
  { scope: 'templates:write', about: 'create, change and delete them' },
  { scope: 'admin', about: 'all of these for every owner, and manage keys and owners' },
]

interface IssueKeyProps {
  onClose(): void
  onIssued(): void
}

/** Issues an API key, and shows its secret once. */
export function IssueKey({ onClose, onIssued }: IssueKeyProps) {
  const name = useSignal('')
  const chosen = useSignal<readonly Scope[]>(['generate', 'generations:read'])
  const secret = useSignal<string | undefined>(undefined)
  const action = useAction()
  const submit = async () => {
    await action.run(async () => {
      const body = { name: name.value.trim(), scopes: [...chosen.value] }
      const { key } = await unwrap(api.POST('/v1/keys', { body }))
      secret.value = key
      onIssued()
    })
  }
  if (secret.value !== undefined) {
    return <IssuedSecret title={`The key “${name.value.trim()}”`} secret={secret.value} onClose={onClose} />
  }
  const problem = action.problemBeside('name', 'scopes')
  return (
    <FormDialog
      title="Issue an API key"
      submit="Issue key"
      busy={action.busy}
      problem={problem}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="The program that uses it."
        placeholder="shop"
        value={name.value}
        maxLength={100}
        error={action.problemOf('name')}
        onInput={(value) => {
          name.value = value
        }}
      />
      <fieldset class="stack">
        <legend>Scopes</legend>
        {scopes.map(({ scope, about }) => (
          <CheckField
            key={scope}
            label={scope}
            hint={about}
            checked={chosen.value.includes(scope)}
            onChange={(isChecked) => {
              const others = chosen.value.filter((other) => other !== scope)
              chosen.value = isChecked ? [...others, scope] : others
            }}
          />
        ))}
        {action.problemOf('scopes') !== undefined && <p class="field-error">Choose at least one scope.</p>}
      </fieldset>
    </FormDialog>
  )
}
