import { ApiError } from './api-error.ts'
import { api, unwrap } from './client.ts'
import { tellOtherWindows } from './other-windows.ts'
import { sessionState } from './session-state.ts'

/** Uses the key in the fragment of the address, which `npm start` prints, or the session of the browser. */
export async function openSession(): Promise<void> {
  const key = takeKeyOfAddress()
  if (key !== undefined) {
    const problem = await signIn(key)
    if (problem !== undefined) sessionState.value = { kind: 'signed-out', reason: problem }
    return
  }
  try {
    sessionState.value = { kind: 'signed-in', session: await unwrap(api.GET('/v1/session')) }
  } catch (err) {
    if (!(err instanceof ApiError) || err.status !== 401) throw err
    sessionState.value = { kind: 'signed-out' }
  }
}

/** The fragment is not sent to the server. It is removed at once, so that neither the history nor a copied address has the key. */
function takeKeyOfAddress(): string | undefined {
  const key = new URLSearchParams(location.hash.slice(1)).get('key') ?? undefined
  if (key !== undefined) history.replaceState(history.state, '', location.pathname + location.search)
  return key
}

/** Exchanges an API key for a session cookie. Returns why it was refused. */
export async function signIn(key: string): Promise<string | undefined> {
  try {
    const headers = { authorization: `Bearer ${key}` }
    const session = await unwrap(api.POST('/v1/session', { headers }))
    sessionState.value = { kind: 'signed-in', session }
    tellOtherWindows()
    return undefined
  } catch (err) {
    return err instanceof Error ? err.message : String(err)
  }
}

export async function signOut(): Promise<void> {
  await unwrap(api.DELETE('/v1/session')).catch(() => {})
  sessionState.value = { kind: 'signed-out' }
  tellOtherWindows()
}
