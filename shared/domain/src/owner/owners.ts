import type { EventStore } from '@platen/event-store/event-store.ts'
import { type Handled, handleCommand, load, operatorMetadata } from '@platen/event-store/handle-command.ts'
import type { CommandMetadata } from '@platen/foundation/command.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { type OwnerCommand, type OwnerState, ownerDecider, ownerNotFound } from './decide-owner.ts'
import { type OwnerEvent, ownerStream } from './owner-events.ts'

/** Returns the id of the new owner. */
export async function createOwner(store: EventStore, name: string, metadata?: CommandMetadata): Promise<string> {
  const id = newId('own')
  await changeOwner(store, id, { type: 'CreateOwner', data: { name } }, metadata)
  return id
}

/** Changes an owner. Throws DomainError OWNER_NOT_FOUND. A command without a change records nothing. */
export function changeOwner(
  store: EventStore,
  id: string,
  command: OwnerCommand,
  metadata: CommandMetadata = operatorMetadata(),
): Promise<Handled<OwnerState>> {
  return handleCommand({ store, decider: ownerDecider(id), stream: ownerStream(id), command: { ...command, metadata } })
}

/** `absent` for an unknown id. */
export async function readOwner(store: EventStore, id: string): Promise<OwnerState> {
  return (await load<OwnerState, OwnerEvent>(store, ownerDecider(id), ownerStream(id))).state
}

/** Throws DomainError OWNER_NOT_FOUND. */
export async function requireOwner(store: EventStore, id: string): Promise<void> {
  if ((await readOwner(store, id)).status === 'absent') ownerNotFound(id)
}
