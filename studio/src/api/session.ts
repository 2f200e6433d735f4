import { ApiError } from './api-error.ts'
import { api, unwrap } from './client.ts'

import { type Session, sessionBegun, sessionState } from './session-state.ts'

/** The windows of a browser share the cookie of the session: who signs in or out in one does so in all of them. */
const channel = new BroadcastChannel('platen-session')

/** To be called after somebody has signed in or out in this window. */
const tellOtherWindows = (): void => channel.postMessage('changed')

channel.addEventListener('message', async () => {
  if (sessionState.value.kind === 'unknown') return
  try {
    sessionBegun(await unwrap(api.GET('/v1/session')))
  } catch (err) {
    // Of a session that has ended, `send` has told.
    if (!(err instanceof ApiError)) throw err
  }
})

/**
 * The key in the fragment of the address, which `npm start` prints. The fragment is not sent to the server. It is removed at once, so
 * that neither the history nor a copied address has the key.
 */
export function takeKeyOfAddress(): string | undefined {
  const key = new URLSearchParams(location.hash.slice(1)).get('key') ?? undefined
  if (key !== undefined) history.replaceState(history.state, '', location.pathname + location.search)
  return key
}

/** Who is signed in with the session of this browser, or who would be with a key. Undefined: nobody. */
export async function readSession(key?: string): Promise<Session | undefined> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  try {
    return await unwrap(api.GET('/v1/session', { headers }))
  } catch (err) {
    if (!(err instanceof ApiError) || err.status !== 401) throw err
    return undefined
  }
}

/** Exchanges an API key for a session cookie. Returns why it was refused. */
export async function signIn(key: string): Promise<string | undefined> {
  try {
    const headers = { authorization: `Bearer ${key}` }
    sessionBegun(await unwrap(api.POST('/v1/session', { headers })))
    tellOtherWindows()
    return undefined
  } catch (err) {
    return err instanceof Error ? err.message : String(err)
  }
}

/** Ends the session. Rejects if the server has not ended it: who leaves the browser then would still be signed in. */
export async function signOut(): Promise<void> {
  await unwrap(api.DELETE('/v1/session')).catch((err) => {
    if (!(err instanceof ApiError) || err.status !== 401) throw err
  })
  sessionState.value = { kind: 'signed-out' }
  tellOtherWindows()
}
