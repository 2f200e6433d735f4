import { contentErased, type LoggedEvent } from '../evidence.ts'
import { outcomeOfGeneration } from '../generations/outcome.ts'
import { type Check, inStream, verdict } from '../verdict.ts'

/** What the verbs of the command line have said is so, whatever ran beside them or interrupted an earlier run. */
export const verbsKeepTheirWord: Check = function* ({ log, verbs, writes }, facts) {
  const { archived, restored, replayed, retried, items, redelivered, cancelled, runs } = verbs
  const order = new Map(log.map((event, at) => [placeOf(event), at]))
  const ids = new Map(log.map((event) => [event.id, placeOf(event)]))
  const inOrder = (events: readonly string[]) => {
    const places = events.flatMap((event) => order.get(event) ?? [])
    return places.every((place, at) => at === 0 || place > (places[at - 1] ?? 0))
  }
  for (const { verb, ended, expected, printed } of runs)
    yield verdict(ended === expected, () => `${verb} has ended with ${ended}, not ${expected}: ${printed}`)
  if (archived !== undefined) {
    const kept = new Set(archived)
    yield verdict(kept.size === archived.length, () => 'the archive has events twice')
    yield verdict(inOrder(archived), () => 'the events of the archive are not in the order of the log')
    // Erasures come last, after the archive.
    for (const event of log.filter(({ type }) => type !== contentErased))
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
  for (const { request, isValid, isKept, ended } of retried) {
    const recorded = facts.requests.get(request)?.length ?? 0
    const name = `the dead letter of ${request}`
    yield verdict(recorded <= (isValid ? 1 : 0), () => `${name} is recorded ${recorded} times`)
    yield verdict(isKept || recorded > 0, () => `${name} was removed, and is not recorded (${ended})`)
    yield verdict(ended !== '0' || !isKept, () => `${name} was executed, and is kept`)
  }
  const renderedAgain = Map.groupBy(facts.generations.values(), ([requested]) => requested?.data.retry_of)
  for (const { item, isKept, ended } of items) {
    const again = renderedAgain.get(item) ?? []
    const name = `the dead letter of the item ${item}`
    yield verdict(again.length <= 1, () => `${name} was rendered again ${again.length} times`)
    const isCompleted = outcomeOfGeneration(again[0])?.type === 'GenerationCompleted'
    yield verdict(
      isKept !== isCompleted,
      () => `${name} is ${isKept ? 'kept' : 'gone'}, and its retry has ${isCompleted ? '' : 'not '}completed`,
    )
    yield verdict(ended !== '0' || again.length === 1, () => `${name} was said to be rendered again`)
  }
  const asked = new Set(writes.map(({ request }) => request))
  for (const { owner, ids } of redelivered) {
    for (const id of ids) {
      const events = inStream(facts, `delivery-${id}`)
      const again = events.some(({ type, request }) => type === 'DeliveryRescheduled' && !asked.has(request))
      yield verdict(again, () => `${id} was said to be due now, and is not`)
      const of = events[0]?.data.owner_id
      yield verdict(owner === undefined || of === owner, () => `${id} of ${of} was sent again for ${owner}`)
    }
  }
  for (const { id, cancelled: isCancelled, endedAs } of cancelled) {
    const type = outcomeOfGeneration(facts.generations.get(id))?.type
    const same = type === endedAs && isCancelled === (type === 'GenerationCancelled')
    yield verdict(same, () => `${id} was said to be ${isCancelled ? 'cancelled' : endedAs}, and is ${type}`)
  }
}

const placeOf = ({ category, aggregate, revision }: LoggedEvent) => `${category}-${aggregate}@${revision}`
