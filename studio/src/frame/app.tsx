import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ApiError } from '../api/api-error.ts'
import { connection } from '../api/connection.ts'
import { signIn } from '../api/session.ts'
import { sessionState } from '../api/session-state.ts'
import { Button } from '../parts/button.tsx'
import { ConfirmHost } from '../parts/confirm.tsx'
import { TextField } from '../parts/fields.tsx'
import { Icon } from '../parts/icon.tsx'
import { onKey } from '../parts/shortcuts.ts'
import { Failure, Loading, Notice } from '../parts/states.tsx'
import { Toasts } from '../parts/toasts.tsx'
import { useResource } from '../parts/use-resource.ts'
import { openSession } from './open-session.ts'
import { Shell } from './shell.tsx'

/** The studio: its pages for one who is signed in, else the page to sign in. */
export function App() {
  const opening = useResource('session', openSession)
  useEffect(() => {
    // A link with a key that is opened in this window changes the fragment only.
    const onFragment = () => void (location.hash.includes('key=') && opening.reload())
    addEventListener('keydown', onKey)
    addEventListener('hashchange', onFragment)
    return () => {
      removeEventListener('keydown', onKey)
      removeEventListener('hashchange', onFragment)
    }
  }, [])
  const state = sessionState.value
  return (
    <>
      <ConnectionBanner />
      {state.kind === 'signed-in' && <Shell key={state.session.api_key.id} />}
      {state.kind === 'signed-out' && <SignIn reason={state.reason} />}
      {state.kind === 'unknown' &&
        (opening.error === undefined || isUnreached(opening.error) ? (
          <Loading />
        ) : (
          <Failure error={opening.error} title="The studio could not be opened" retry={opening.reload} />
        ))}
      <ConfirmHost />
      <Toasts />
    </>
  )
}

/** The banner says so, and it is tried again. */
const isUnreached = (error: unknown) => error instanceof ApiError && error.code === 'NETWORK_ERROR'

/** Says that the server cannot be reached, until it can. What is shown was loaded before. */
function ConnectionBanner() {
  return (
    <div role="status">
      {connection.value === 'lost' && (
        <p class="connection-banner">
          <Icon name="wifi-off" />
          The server cannot be reached. What is shown may be out of date. Trying again…
        </p>
      )}
    </div>
  )
}

/** Asks for an API key, and says where one is found. */
function SignIn({ reason }: { reason: string | undefined }) {
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
