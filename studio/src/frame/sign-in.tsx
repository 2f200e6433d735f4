import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { signIn } from '../api/session.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/fields.tsx'
import { Notice } from '../parts/states.tsx'

/** Asks for an API key, and says where one is found. */
export function SignIn({ reason }: { reason: string | undefined }) {
  const key = useSignal('')
  const problem = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  useEffect(() => {
    document.title = 'Sign in · Platen'
  }, [])
  const submit = async (event: Event) => {
    event.preventDefault()
    isBusy.value = true
    problem.value = key.value.trim() === '' ? 'Enter an API key.' : await signIn(key.value.trim())
    isBusy.value = false
  }
  return (
    <main class="sign-in">
      <form onSubmit={(event) => void submit(event)} noValidate>
        <p class="brand">Platen</p>
        <h1>Sign in to the studio</h1>
        {reason !== undefined && <Notice tone="info">{reason}</Notice>}
        <TextField
          label="API key"
          type="password"
          name="key"
          autocomplete="current-password"
          autofocus
          placeholder="pk_…"
          value={key.value}
          error={problem.value}
          onInput={(value) => {
            key.value = value
          }}
        />
        <Button type="submit" tone="primary" busy={isBusy.value}>
          Sign in
        </Button>
        <p class="field-hint">
          The first start of Platen prints a key. An operator issues another one with{' '}
          <code>npm run platen -- keys issue</code>. The browser keeps a session, not the key.
        </p>
      </form>
    </main>
  )
}
