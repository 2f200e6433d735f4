import { relays } from '@platen/domain/catalogue/events.ts'
import type { RelayName } from '@platen/domain/events/define-event.ts'
import { buckets } from '@platen/domain/streams/buckets.ts'
import type { EventStore, Position } from '@platen/event-store/event-store.ts'
import { InvalidPosition } from '@platen/event-store/event-store.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { openBucket } from '@platen/messaging/key-value/bucket.ts'
import { relayKey, relayNames } from '@platen/service-kit/relay/relays.ts'
import { type Checkpoint, lastMessage, positionHeader } from '@platen/service-kit/relay/resume-point.ts'
import { defineCommand, exitFound } from '../../frame/command.ts'
import { printRows } from '../../frame/table.ts'
import { holderOf } from './relay-holders.ts'

interface RelayStatus {
  relay: RelayName
  /** `level`: all events are published. `behind`: some are not. `other_event_store`: it cannot go on. `unused`: never ran. */
  state: 'level' | 'behind' | 'other_event_store' | 'unused'
  /** Events that are not published yet. */
  behind: number
  /** When the oldest of them was recorded. */
  oldest?: string
  /** The process that publishes. */
  held_by?: string
  /** The last message of this relay in EVENTS. */
  last_seq?: number
  last_at?: string
  reason?: string
}

export const relayStatus = defineCommand({
  name: 'relay status',
  summary: 'print how far each service has published its events to EVENTS, and which process does it',
  notes: ['Exits with 1 if a relay cannot go on, because EVENTS is of another event store.'],
  async run({ openStore, openBus, print }, { json }) {
    const store = await openStore()
    const bus = await openBus()
    const all: RelayStatus[] = []
    for (const name of relayNames) all.push(await statusOf(store, bus, name))
    printRows(all, { print, json, columns })
    const stopped = all.find(({ state }) => state === 'other_event_store')
    if (!stopped) return 0
    if (!json) print(`${stopped.reason}; see \`deployment adopt\``)
    return exitFound
  },
})

function columns({ relay, state, behind, oldest, held_by, last_seq, last_at, reason }: RelayStatus): string[] {
  const lag = state === 'behind' ? `${behind} events behind, oldest ${oldest}` : (reason ?? '')
  const last = last_seq === undefined ? 'nothing published' : `last message ${last_seq} at ${last_at}`
  return [relay, state, held_by ? `run by ${held_by}` : 'not running', last, lag]
}

async function statusOf(store: EventStore, bus: Bus, relay: RelayName): Promise<RelayStatus> {
  const checkpoints = await openBucket(bus, buckets.checkpoints)
  const entry = await checkpoints.get(relayKey(relay))
  const saved = entry?.operation === 'PUT' ? entry.json<Checkpoint>() : undefined
  const last = await lastMessage(bus, relay)
  const held_by = await holderOf(bus, relay)
  const common = {
    relay,
    ...(held_by !== undefined && { held_by }),
    ...(last && { last_seq: last.seq, last_at: last.time.toISOString() }),
  }
  // Whichever of the two is newer: the checkpoint follows the messages with a delay, and passes events that are not published.
  const isNewer = last !== undefined && last.seq > (saved?.seq ?? 0)
  const after = (isNewer ? last.header?.get(positionHeader) || saved?.position : saved?.position) as
    | Position
    | 'start'
    | undefined
  if (after === undefined) return { ...common, state: 'unused', behind: 0 }
  try {
    let behind = 0
    let oldest: string | undefined
    for await (const { recordedAt } of store.readLog({ after, categories: relays[relay] })) {
      behind += 1
      oldest ??= recordedAt.toISOString()
    }
    return { ...common, state: behind > 0 ? 'behind' : 'level', behind, ...(oldest && { oldest }) }
  } catch (err) {
    if (!(err instanceof InvalidPosition)) throw err
    return { ...common, state: 'other_event_store', behind: 0, reason: err.message }
  }
}
