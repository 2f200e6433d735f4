import type { LoggedEvent } from '../evidence.ts'
import { type Check, verdict } from '../verdict.ts'

/** What the verbs of the command line have said is so, whatever ran beside them or interrupted an earlier run. */
export const verbsKeepTheirWord: Check = function* ({ log, verbs }) {
  const { archived, restored, replayed, runs } = verbs
  const order = new Map(log.map((event, at) => [placeOf(event), at]))
  const ids = new Map(log.map((event) => [event.id, placeOf(event)]))
  const inOrder = (events: readonly string[]) => {
    const places = events.flatMap((event) => order.get(event) ?? [])
    return places.every((place, at) => at === 0 || place > (places[at - 1] ?? 0))
  }
  for (const { verb, ended, printed } of runs) yield verdict(ended !== '1', () => `${verb} has failed: ${printed}`)
  if (archived !== undefined) {
    const kept = new Set(archived)
    yield verdict(kept.size === archived.length, () => 'the archive has events twice')
    yield verdict(inOrder(archived), () => 'the events of the archive are not in the order of the log')
    for (const event of log)
      yield verdict(kept.has(placeOf(event)), () => `${event.type} of ${placeOf(event)} is not in the archive`)
  }
  for (const { interrupted, code, printed, events, files } of restored) {
    const name = `the backup${interrupted ? ' that a second one was interrupted in' : ''}`
    yield verdict(code === 0, () => `${name} cannot be put back: ${printed}`)
    if (code !== 0) continue
    yield verdict(inOrder(events), () => `the events of ${name} are not in the order of the log`)
    const kept = new Set(events)
    const last = order.get(events.at(-1) ?? '') ?? -1
    for (const event of log.slice(0, last + 1)) {
      const { type, aggregate, data } = event
      const has = kept.has(placeOf(event))
      yield verdict(has, () => `${name} lacks ${type} of ${aggregate}, which is older than its last event`)
      if (type !== 'GenerationCompleted' || verbs.erased.some(({ ids }) => ids.includes(aggregate))) continue
      const file = files[String(data.object_key)]
      yield verdict(file === data.sha256, () => `${name} has ${file ?? 'no file'} for ${data.object_key} of its log`)
    }
  }
  for (const { category, said, ids: got } of replayed) {
    const arrived = new Set(got).size
    yield verdict(arrived === said, () => `a replay said ${said} events, and ${arrived} have arrived`)
    const places = got.map((id) => ids.get(id) ?? '')
    yield verdict(inOrder(places), () => `the replay of ${category} is not in the order of the log`)
  }
}

const placeOf = ({ category, aggregate, revision }: LoggedEvent) => `${category}-${aggregate}@${revision}`
