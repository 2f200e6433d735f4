import { itemGenerationId } from '@platen/domain/batch/batch.ts'
import { batchPartOf } from '@platen/domain/streams/subjects.ts'
import type { Evidence, LoggedEvent } from '../evidence.ts'
import { outcomeOfGeneration as outcome, statuses } from '../generations/outcome.ts'
import { type Recorded, recordedAsAnswered } from '../recorded.ts'
import { type Check, type Facts, inStream, verdict } from '../verdict.ts'
import type { Counts } from './batch-post.ts'

const category = 'batch'

const rules: Record<string, Recorded> = {
  cancelBatch: {
    category,
    types: ['BatchCancelRequested'],
    least: () => 0,
    *unchanged({ subject }, facts) {
      // An earlier try was recorded, or the batch had ended.
      const right = streamOf(facts, subject).some(({ type }) => type === 'BatchCancelRequested')
      yield verdict(right, () => `the cancel of ${subject} was acknowledged and is not recorded`)
    },
  },
}

export const everyBatchEnds: Check = function* ({ batches }, facts) {
  for (const { n, ids } of batches) {
    for (const id of new Set(ids))
      yield verdict(streamOf(facts, id).length > 0, () => `${id} of batch ${n} was accepted and is not recorded`)
  }
  for (const [id, events] of batchesIn(facts))
    yield verdict(endOf(events) !== undefined, () => `${id} was recorded and has no end`)
  for (const [id, [requested, ...rest]] of facts.generations) {
    if (!requested?.data.batch) continue
    const end = outcome([requested, ...rest])
    yield verdict(end?.type !== 'GenerationFailed', () => `${id}, an item, failed: ${JSON.stringify(end?.data)}`)
  }
}

export const batchEndsOnce: Check = function* ({ batches }, facts) {
  const posts = postsById({ batches })
  for (const [id, events] of batchesIn(facts)) {
    const types = events.map(({ type }) => type.replace('Batch', ''))
    const right = /^Created(?: CancelRequested)? Ended$/.test(types.join(' '))
    yield verdict(right, () => `${id} has the events ${types}`)
    const end = endOf(events)
    if (!end) continue
    const total = totalOf(events)
    const counts = countsIn(facts, id, total)
    const said = { completed: end.data.completed, failed: end.data.failed, cancelled: end.data.cancelled }
    const same = JSON.stringify(said) === JSON.stringify(counts)
    yield verdict(same, () => `${id} has ended with ${JSON.stringify(said)}, its items say ${JSON.stringify(counts)}`)
    const isCancelled = posts.get(id)?.cancelled ?? false
    yield verdict(
      isCancelled || counts.completed === total,
      () => `${id}: ${counts.completed} of ${total} are completed`,
    )
    const status = isCancelled && counts.cancelled > 0 ? 'cancelled' : 'completed'
    yield verdict(end.data.status === status, () => `${id} has ended as ${end.data.status}, not ${status}`)
    const told = posts.get(id)?.told
    const truth = JSON.stringify({ status: end.data.status, counts: said })
    yield verdict(told === undefined || JSON.stringify(told) === truth, () => `${id}: a client was told ${told}`)
  }
}

export const batchAnswersMatchLog: Check = function* ({ batchReads }, facts) {
  for (const { id, gateway, httpStatus, status, counts, items } of batchReads) {
    const events = streamOf(facts, id)
    const end = endOf(events)
    if (!end) continue
    const total = totalOf(events)
    const right =
      httpStatus === 200 &&
      status === end.data.status &&
      JSON.stringify(counts) === JSON.stringify(countsIn(facts, id, total))
    yield verdict(right, () => `${gateway}: GET ${id} says ${httpStatus} ${status} ${JSON.stringify(counts)}`)
    const wanted = itemsOf(facts, id, total).map(({ index, generation, end }) => {
      return `${index} ${generation} ${end ? statuses[end.type] : 'cancelled'}`
    })
    const listed = items.map(({ index, generation_id, status }) => `${index} ${generation_id} ${status}`)
    yield verdict(
      listed.join() === wanted.join(),
      () => `${gateway}: ${id} lists ${listed.find((item, at) => item !== wanted[at]) ?? `${listed.length} items`}`,
    )
  }
}

/** All items have one version, including those that were requested after an interruption. */
export const itemsHaveOneVersion: Check = function* ({ batches }, facts) {
  for (const [id, { template }] of postsById({ batches })) {
    if (!template) continue
    const printed = itemsOf(facts, id, totalOf(streamOf(facts, id))).flatMap(({ generation }) => {
      const of = facts.generations.get(generation)?.[0]?.data.template
      return of ? [of as { id: string; version: number }] : []
    })
    const versions = new Set(printed.map(({ version }) => version))
    yield verdict(versions.size <= 1, () => `${id} was printed from the versions ${[...versions]}`)
    const fresh = printed.every(({ id, version }) => id === template.id && version >= template.atLeast)
    yield verdict(fresh, () => `${id} was printed from ${[...versions]}, not ${template.atLeast} or newer`)
  }
}

/** The PDF of each item shows its own text, and the files of the batch have all of them in order. */
export const batchFilesAreWhole: Check = function* ({ batches, batchReads, objects, verbs }, facts) {
  const posts = postsById({ batches })
  const files = new Map(objects.map((file) => [file.key, file]))
  const erased = new Set(verbs.erased.flatMap(({ ids }) => ids))
  const wanted = new Map<string, string[]>()
  for (const [id, { texts }] of posts) {
    const printed = itemsOf(facts, id, texts.length).filter(({ generation, end }) => {
      return end?.type === 'GenerationCompleted' && !erased.has(generation)
    })
    for (const { index, generation, end } of printed) {
      const file = end?.type === 'GenerationCompleted' ? files.get(end.data.object_key) : undefined
      const right = file?.text.includes(texts[index - 1] ?? '?') ?? false
      yield verdict(right, () => `${generation}, item ${index}: its text is ${file?.text}, not ${texts[index - 1]}`)
    }
    wanted.set(
      id,
      printed.map(({ index }) => texts[index - 1] ?? '?'),
    )
  }
  for (const { id, gateway, zip, merged } of batchReads) {
    const texts = wanted.get(id) ?? []
    const has = (got: readonly string[]) =>
      got.length === texts.length && got.every((text, at) => text.includes(texts[at] ?? '?'))
    if (zip)
      yield verdict(zip.httpStatus === 200 && has(zip.texts), () => `${gateway}: the ZIP of ${id} has ${zip.texts}`)
    if (!merged) continue
    const right = texts.length === 0 ? merged.httpStatus === 410 : merged.httpStatus === 200 && has(merged.texts)
    yield verdict(right, () => `${gateway}: the PDF of ${id} is ${merged.httpStatus} ${merged.texts}`)
  }
}

export const noBatchInvented: Check = function* ({ batches }, facts) {
  const posts = postsById({ batches })
  const made = new Map<string, Set<string>>()
  for (const [generation, [requested]] of facts.generations) {
    const { batch, metadata } = (requested?.data ?? {}) as unknown as ItemRequest
    if (!batch) continue
    const isItem = itemGenerationId(batch.id, batch.index) === generation
    const isIn = batch.index <= totalOf(streamOf(facts, batch.id))
    yield verdict(isItem && isIn, () => `${generation} is no item of ${batch.id}`)
    const run = metadata?.run ?? ''
    made.set(run, (made.get(run) ?? new Set()).add(batch.id))
  }
  for (const [id, { n }] of posts) made.set(`${n}`, (made.get(`${n}`) ?? new Set()).add(id))
  for (const [id] of batchesIn(facts))
    yield verdict(
      [...made.values()].some((ids) => ids.has(id)),
      () => `${id} was posted by nobody`,
    )
  const byRun = new Map(batches.map((batch) => [`${batch.n}`, batch]))
  for (const [run, ids] of made) {
    const { keyed = true, tries = 0 } = byRun.get(run) ?? {}
    const most = keyed ? Math.min(1, tries) : tries
    yield verdict(ids.size <= most, () => `batch ${run} was sent ${tries} times and made ${[...ids]}`)
  }
}

export const cancelsOfBatchesRecorded: Check = (evidence, facts) => recordedAsAnswered(evidence, facts, rules)

/**
 * The items of a batch are kept until it has ended and their retention is over. A part of which one was erased is replaced: these
 * batches have one part.
 */
export const itemsAreKept: Check = function* ({ objects, keptObjects, verbs }, facts) {
  const erased = new Set(
    verbs.erased.flatMap(({ ids }) => ids).flatMap((id) => batchOf(facts.generations.get(id)) ?? []),
  )
  const kept = Map.groupBy(
    objects.flatMap(({ key }) => batchPartOf(key) ?? []),
    ({ name, part }) => `${name}.${part}`,
  )
  for (const [id, [created]] of batchesIn(facts)) {
    const { name, parts } = (created?.data.input ?? {}) as unknown as { name: string; parts: number }
    for (let part = 0; part < parts; part++) {
      const versions = kept.get(`${name}.${part}`) ?? []
      const isAsAccepted = versions.some(({ version }) => version === undefined)
      yield verdict(versions.length > 0, () => `${id}: part ${part} is gone`)
      yield verdict(
        isAsAccepted !== erased.has(id),
        () => `${id}: part ${part} is ${isAsAccepted ? '' : 'not '}as before`,
      )
    }
  }
  for (const { batch, name } of [...kept.values()].flat())
    yield verdict(
      !erased.has(batch) || name === nameOf(facts, batch),
      () => `${batch} has erased items, and a copy ${name}`,
    )
  for (const key of keptObjects.filter((one) => one.startsWith('inputs/'))) yield `${key} is kept after its retention`
}

interface ItemRequest {
  batch?: { id: string; index: number }
  metadata?: { run?: string }
}

const batchOf = (events: readonly LoggedEvent[] = []) =>
  (events[0]?.data as unknown as ItemRequest | undefined)?.batch?.id
const streamOf = (facts: Facts, id: string) => inStream(facts, `${category}-${id}`)
const nameOf = (facts: Facts, id: string) => (streamOf(facts, id)[0]?.data.input as { name?: string } | undefined)?.name
const endOf = (events: readonly LoggedEvent[]) => events.find(({ type }) => type === 'BatchEnded')
const totalOf = ([created]: readonly LoggedEvent[]) => Number(created?.data.total ?? 0)
const batchesIn = ({ streams }: Facts) =>
  [...streams].flatMap(([stream, events]) =>
    stream.startsWith(`${category}-`) ? [[stream.slice(category.length + 1), events] as const] : [],
  )
const postsById = ({ batches }: Pick<Evidence, 'batches'>) =>
  new Map(batches.flatMap((batch) => batch.ids.map((id) => [id, batch] as const)))

function itemsOf({ generations }: Facts, id: string, total: number) {
  return Array.from({ length: total }, (_, at) => {
    const generation = itemGenerationId(id, at + 1)
    return { index: at + 1, generation, end: outcome(generations.get(generation)) }
  })
}

/** Expected counts: items that have not begun are cancelled. */
function countsIn(facts: Facts, id: string, total: number): Counts {
  const ends = itemsOf(facts, id, total).map(({ end }) => end?.type ?? 'GenerationCancelled')
  const count = (type: string) => ends.filter((end) => end === type).length
  return {
    completed: count('GenerationCompleted'),
    failed: count('GenerationFailed'),
    cancelled: count('GenerationCancelled'),
  }
}
