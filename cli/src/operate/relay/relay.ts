import { type RelayStatus, statusOf } from '@platen/service-kit/relay/relay-status.ts'
import { relayNames } from '@platen/service-kit/relay/relays.ts'
import { defineCommand, exitFound } from '../../frame/command.ts'
import { printRows } from '../../frame/table.ts'

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
    if (!json) print(`${stopped.reason}; see \`deployment claim\``)
    return exitFound
  },
})

function columns({ relay, state, behind, oldest, held_by, last_seq, last_at, reason }: RelayStatus): string[] {
  const lag = state === 'behind' ? `${behind} events behind, oldest ${oldest}` : (reason ?? '')
  const last = last_seq === undefined ? 'nothing published' : `last message ${last_seq} at ${last_at}`
  return [relay, state.replaceAll('_', ' '), held_by ? `run by ${held_by}` : 'not running', last, lag]
}
