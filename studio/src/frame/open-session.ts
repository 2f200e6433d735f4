import { readSession, signIn, takeKeyOfAddress } from '../api/session.ts'
import { type Session, sessionBegun, sessionState } from '../api/session-state.ts'
import { confirm } from '../parts/confirm.tsx'
import { notify } from '../parts/toasts.tsx'

/**
 * Uses the key in the fragment of the address, or the session of the browser. Whoever has sent a link with a key would see what is done
 * with it: another key than that of the session asks first, and so does every key of a link to another machine.
 */
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
    const linked = isThisMachine() ? undefined : await readSession(key)
    if (linked !== undefined && !(await isWanted(linked))) {
      sessionState.value = { kind: 'signed-out' }
      return
    }
    const problem = await signIn(key)
    if (problem !== undefined) sessionState.value = { kind: 'signed-out', reason: problem }
    return
  }
  const linked = await readSession(key)
  if (linked === undefined) return notify('The key of the link is unknown or revoked. You stay signed in.', 'bad')
  if (linked.api_key.id !== current.api_key.id && !(await isWanted(linked, current))) return
  const problem = await signIn(key)
  if (problem !== undefined) notify(problem, 'bad')
}

/** `npm start` prints a link with its first key, for a browser on the same machine. */
const isThisMachine = () => ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname)

/** All windows of the browser share one session. */
function isWanted(linked: Session, current?: Session): Promise<boolean> {
  const consequence =
    current === undefined
      ? 'Whoever has sent you the link may have the key, and sees what you do with it.'
      : `You are signed in with “${current.api_key.name}”, of “${current.owner.name}”: that session would end in all windows of this browser.`
  return confirm({
    title: `Sign in with the key “${linked.api_key.name}”?`,
    body: `The link has this key, of the owner “${linked.owner.name}”. ${consequence}`,
    action: 'Sign in with the link',
  })
}
