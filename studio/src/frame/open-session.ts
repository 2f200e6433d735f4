import { readSession, signIn, takeKeyOfAddress } from '../api/session.ts'
import { type Session, sessionBegun, sessionState } from '../api/session-state.ts'
import { confirm } from '../parts/confirm.tsx'
import { notify } from '../parts/toasts.tsx'

/** Uses the key in the fragment of the address, or the session of the browser. Another key than that of the session asks first. */
export async function openSession(): Promise<void> {
  const key = takeKeyOfAddress()
  const current = await readSession()
  if (current !== undefined) sessionBegun(current)
  if (key !== undefined) await useKey(key, current)
  // Of one that has ended, the page to sign in says so.
  else if (sessionState.value.kind === 'unknown') sessionState.value = { kind: 'signed-out' }
}

async function useKey(key: string, current: Session | undefined): Promise<void> {
  if (current === undefined) {
    const problem = await signIn(key)
    if (problem !== undefined) sessionState.value = { kind: 'signed-out', reason: problem }
    return
  }
  const linked = await readSession(key)
  if (linked === undefined) return notify('The key of the link is unknown or revoked. You stay signed in.', 'bad')
  if (linked.api_key.id !== current.api_key.id && !(await isReplaced(current, linked))) return
  const problem = await signIn(key)
  if (problem !== undefined) notify(problem, 'bad')
}

/** All windows of the browser share one session. */
function isReplaced(current: Session, linked: Session): Promise<boolean> {
  return confirm({
    title: `Sign in with the key “${linked.api_key.name}”?`,
    body: `The link has this key, of the owner “${linked.owner.name}”. You are signed in with “${current.api_key.name}”, of “${current.owner.name}”: that session would end in all windows of this browser.`,
    action: 'Sign in with the link',
  })
}
