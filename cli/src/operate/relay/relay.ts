import { type PublishedPart, partsOf, type RelayStatus, statusOf } from '@platen/service-kit/relay/relay-status.ts'
import { relayNames } from '@platen/service-kit/relay/relays.ts'
import { defineCommand, exitFound } from '../../frame/command.ts'
import { printRows } from '../../frame/table.ts'

export const relayStatus = defineCommand({
  name: 'relay status',
  summary: 'print how far each service has published its events to EVENTS, and which process does it',
  notes: [
    'A relay that is divided by RELAY_PARTITIONS has a line for each of its partitions.',
    'Exits with 1 if a relay cannot go on, because EVENTS is of another event store.',
  ],
  async run({ openStore, openBus, print }, { json }) {
    const store = await openStore()
    const bus = await openBus()
    const all: RelayStatus[] = []
    for (const name of relayNames) all.push(await statusOf(store, bus, name))
    if (json) for (const status of all) print(JSON.stringify(status))
    else printRows(all.flatMap(rowsOf), { print, json, columns })
    const stopped = all.find(({ state }) => state === 'other_event_store')
    if (!stopped) return 0
    if (!json) print(`${stopped.reason}; see \`deployment claim\``)
    return exitFound
  },
})

/** A relay, or one of its partitions. */
type Row = PublishedPart & Pick<RelayStatus, 'last_seq' | 'last_at' | 'reason'>

const rowsOf = (status: RelayStatus): Row[] => partsOf(status).map((part) => ({ ...status, ...part }))

function columns({ name, state, behind, oldest, held_by, last_seq, last_at, reason }: Row): string[] {
  const lag = state === 'behind' ? `${behind} events behind, oldest ${oldest}` : (reason ?? '')
  const last = last_seq === undefined ? 'nothing published' : `last message ${last_seq} at ${last_at}`
  return [name, state.replaceAll('_', ' '), held_by ? `run by ${held_by}` : 'not running', last, lag]
}
