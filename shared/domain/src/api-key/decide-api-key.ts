import type { Decider, Unreadable } from '@platen/event-store/decider.ts'
import { readable } from '@platen/foundation/runtime/readable.ts'
import { foldIdOf } from '../events/fold-id.ts'
import { fail } from '../http/errors.ts'
import type { Scope } from './api-key.ts'
import { type ApiKeyEvent, type ApiKeyIssued, type ApiKeyRotated, changesOfKey } from './api-key-events.ts'

export type ApiKeyState =
  | { status: 'absent' }
  | {
      status: 'active' | 'revoked'
      name: string
      ownerId: string
      sha256: string
      prefix: string
      scopes: Scope[]
      /** The secrets that are accepted for some time after a rotation, the last one first. */
      previous?: readonly PreviousSecret[]
    }

/** `until`: ISO 8601. */
interface PreviousSecret {
  sha256: string
  until: string
}

/** The most previous secrets that stay accepted. A client that lost the answer of a rotation rotates again with one. */
const maxPrevious = 10

export type ApiKeyCommand =
  | { type: 'IssueApiKey'; data: ApiKeyIssued['data'] }
  | { type: 'RotateApiKey'; data: ApiKeyRotated['data'] }
  | { type: 'RevokeApiKey'; data: Record<string, never> }

export const absentApiKey: ApiKeyState = { status: 'absent' }

/** Stream `apikey-<id>`. Refuses a command for an absent key with API_KEY_NOT_FOUND. */
export function apiKeyDecider(id: string): Decider<ApiKeyState, ApiKeyCommand, ApiKeyEvent> {
  return {
    initialState: absentApiKey,
    decide(command, key) {
      if (command.type === 'IssueApiKey') {
        return key.status === 'absent' ? [{ type: 'ApiKeyIssued', data: command.data }] : []
      }
      if (key.status === 'absent') return apiKeyNotFound(id)
      switch (command.type) {
        case 'RotateApiKey':
          if (key.status === 'revoked') fail('CONFLICT', 'The API key is revoked; issue a new one')
          return [{ type: 'ApiKeyRotated', data: command.data }]
        case 'RevokeApiKey':
          return key.status === 'revoked' ? [] : [{ type: 'ApiKeyRevoked', data: {} }]
      }
    },
    evolve: evolveApiKey,
    foldId: apiKeyFoldId,
  }
}

const apiKeyFoldId = foldIdOf({ events: changesOfKey, initialState: absentApiKey, evolve: evolveApiKey })

export function evolveApiKey(key: ApiKeyState, event: ApiKeyEvent | Unreadable): ApiKeyState {
  if (event.type === 'ApiKeyIssued') return issued(event.data)
  if (key.status === 'absent') return key
  switch (event.type) {
    case 'ApiKeyRotated': {
      const { sha256, prefix, previous_until } = event.data
      const { previous = [], ...rest } = key
      if (previous_until === undefined) return { ...rest, sha256, prefix }
      const earlier = previous.map(({ sha256, until }) => ({ sha256, until: earliest(until, previous_until) }))
      const accepted = [{ sha256: key.sha256, until: previous_until }, ...earlier].slice(0, maxPrevious)
      return { ...rest, sha256, prefix, previous: accepted }
    }
    case 'ApiKeyRevoked':
      return { ...key, status: 'revoked' }
    case '$unreadable':
      return key
  }
}

const earliest = (one: string, other: string) => (Date.parse(one) < Date.parse(other) ? one : other)

function issued({ owner_id: ownerId, ...data }: ApiKeyIssued['data']): ApiKeyState {
  return { status: 'active', ownerId, ...data }
}

export function apiKeyNotFound(id: string): never {
  return fail('API_KEY_NOT_FOUND', `API key ${readable(id)} does not exist`)
}
