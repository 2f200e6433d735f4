import { signOut } from '../api/session.ts'
import { currentSession } from '../api/session-state.ts'
import { attempt } from '../parts/attempt.ts'
import { IconButton } from '../parts/button.tsx'
import { formatTime } from '../parts/format.ts'

/** The API key that is signed in, and a button to sign out. */
export function Account() {
  const { api_key: key, owner, expires_at: until } = currentSession()
  return (
    <div class="account">
      <div class="account-name" title={until && `The session ends ${formatTime(until)}`}>
        <span>{key.name}</span>
        <small>{owner.name}</small>
      </div>
      <IconButton icon="log-out" label="Sign out" onClick={() => void attempt(signOut)} />
    </div>
  )
}
