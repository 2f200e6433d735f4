import type { Decider, Unreadable } from '@platen/event-store/decider.ts'
import { readable } from '@platen/foundation/runtime/readable.ts'
import { foldIdOf } from '../events/fold-id.ts'
import { fail } from '../http/errors.ts'
import { defaultOwnerId } from '../ids/owner-id.ts'
import { type OwnerEvent, ownerEvents } from './owner-events.ts'

export type OwnerState =
  | { status: 'absent' }
  | {
      status: 'active' | 'disabled'
      name: string
      /** The webhook secret that signs now. Counts from 1. */
      webhookSecretVersion: number
      /** When its predecessors were replaced, the last one first: ISO 8601, at most ten. Each signs too for a day after that. */
      webhookSecretRotations: readonly string[]
    }

/** If a secret is rotated more often within a day, the oldest ones no longer sign. */
const mostRotations = 10

export type OwnerCommand =
  | { type: 'CreateOwner'; data: { name: string } }
  | { type: 'RenameOwner'; data: { name: string } }
  | { type: 'DisableOwner'; data: Record<string, never> }
  | { type: 'EnableOwner'; data: Record<string, never> }
  | { type: 'RotateOwnerWebhookSecret'; data: { at: string } }

/** Stream `owner-<id>`. The default owner exists without events. Refuses a command for an absent one with OWNER_NOT_FOUND. */
export function ownerDecider(id: string): Decider<OwnerState, OwnerCommand, OwnerEvent> {
  return {
    initialState: id === defaultOwnerId ? newOwner('default') : { status: 'absent' },
    decide(command, owner) {
      if (command.type === 'CreateOwner') {
        return owner.status === 'absent' ? [{ type: 'OwnerCreated', data: command.data }] : []
      }
      if (owner.status === 'absent') return ownerNotFound(id)
      switch (command.type) {
        case 'RenameOwner':
          return owner.name === command.data.name ? [] : [{ type: 'OwnerRenamed', data: command.data }]
        case 'DisableOwner':
          return owner.status === 'disabled' ? [] : [{ type: 'OwnerDisabled', data: {} }]
        case 'EnableOwner':
          return owner.status === 'active' ? [] : [{ type: 'OwnerEnabled', data: {} }]
        case 'RotateOwnerWebhookSecret': {
          const version = owner.webhookSecretVersion + 1
          return [{ type: 'OwnerWebhookSecretRotated', data: { version, rotated_at: command.data.at } }]
        }
      }
    },
    evolve: evolveOwner,
    foldId: ownerFoldId,
  }
}

const ownerFoldId = foldIdOf({ events: ownerEvents, initialState: newOwner('default'), evolve: evolveOwner })

function evolveOwner(owner: OwnerState, event: OwnerEvent | Unreadable): OwnerState {
  if (event.type === 'OwnerCreated') return newOwner(event.data.name)
  if (owner.status === 'absent') return owner
  switch (event.type) {
    case 'OwnerRenamed':
      return { ...owner, name: event.data.name }
    case 'OwnerDisabled':
      return { ...owner, status: 'disabled' }
    case 'OwnerEnabled':
      return { ...owner, status: 'active' }
    case 'OwnerWebhookSecretRotated': {
      const { version, rotated_at } = event.data
      const rotations = [rotated_at, ...owner.webhookSecretRotations].slice(0, mostRotations)
      return { ...owner, webhookSecretVersion: version, webhookSecretRotations: rotations }
    }
    case '$unreadable':
      return owner
  }
}

function newOwner(name: string): OwnerState {
  return { status: 'active', name, webhookSecretVersion: 1, webhookSecretRotations: [] }
}

export function ownerNotFound(id: string): never {
  return fail('OWNER_NOT_FOUND', `Owner ${readable(id)} does not exist`)
}
