import { ApiError } from './api-error.ts'
import { api, unwrap } from './client.ts'
import { sessionBegun, sessionState } from './session-state.ts'

/** The windows of a browser share the cookie of the session: who signs in or out in one does so in all of them. */
const channel = new BroadcastChannel('platen-session')

/** To be called after somebody has signed in or out in this window. */
export const tellOtherWindows = (): void => channel.postMessage('changed')

channel.addEventListener('message', async () => {
  if (sessionState.value.kind === 'unknown') return
  try {
    sessionBegun(await unwrap(api.GET('/v1/session')))
  } catch (err) {
    // Of a session that has ended, `send` has told.
    if (!(err instanceof ApiError)) throw err
  }
})
