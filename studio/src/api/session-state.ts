import { effect, signal } from '@preact/signals'
import type { components } from '../../../clients/typescript/src/api-types.ts'

export type Session = components['schemas']['Session']
export type Scope = components['schemas']['Scope']

export type SessionState =
  | { kind: 'unknown' }
  /** `reason`: why one who was signed in is no more. */
  | { kind: 'signed-out'; reason?: string }
  | { kind: 'signed-in'; session: Session }

export const sessionState = signal<SessionState>({ kind: 'unknown' })

/** To be called when the API refuses the session. */
export function sessionEnded(): void {
  if (sessionState.value.kind !== 'signed-in') return
  sessionState.value = { kind: 'signed-out', reason: 'Your session has ended. Sign in again to go on.' }
}

/** To be called with the session that the browser has now. Nothing that was loaded with another key stays. */
export function sessionBegun(session: Session): void {
  const { value: before } = sessionState
  const isSame = before.kind === 'signed-in' && before.session.api_key.id === session.api_key.id
  if (!isSame) sessionState.value = { kind: 'unknown' }
  sessionState.value = { kind: 'signed-in', session }
}

/** Calls `forget` when nobody is signed in, however the session has ended: the next one may see less. */
export function whenSignedOut(forget: () => void): void {
  effect(() => {
    if (sessionState.value.kind !== 'signed-in') forget()
  })
}

/** The session; throws while nobody is signed in. No page is shown then. */
export function currentSession(): Session {
  const state = sessionState.value
  if (state.kind !== 'signed-in') throw new Error('nobody is signed in')
  return state.session
}

/** Whether the key of the session has one of these scopes. `admin` includes every scope. */
export function mayUse(...anyOf: readonly Scope[]): boolean {
  const state = sessionState.value
  if (state.kind !== 'signed-in') return false
  const { scopes } = state.session.api_key
  return scopes.includes('admin') || anyOf.some((scope) => scopes.includes(scope))
}
