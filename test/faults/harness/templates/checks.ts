import { isDeepStrictEqual } from 'node:util'
import type { Json, JsonObject } from '@platen/foundation/json/json.ts'
import { isAcknowledged } from '../client.ts'
import type { LoggedEvent, Write } from '../evidence.ts'
import { changesInOrder, type Recorded, readsAreFresh, recordedAsAnswered } from '../recorded.ts'
import { type Check, type Facts, inStream, type Judged, verdict } from '../verdict.ts'

const content = { category: 'template', isCommand: true }
const changing = ['createTemplate', 'putTemplate', 'updateTemplate']
const operations = [...changing, 'restoreTemplate', 'deleteTemplate']

const rules: Record<string, Recorded> = {
  createTemplate: { ...content, types: ['TemplateCreated'], compare: sameVersion },
  putTemplate: { ...content, types: ['TemplateCreated', 'TemplateUpdated'], compare: sameVersion },
  updateTemplate: { ...content, types: ['TemplateUpdated'], compare: sameVersion },
  // A version that is the newest already changes nothing.
  restoreTemplate: {
    ...content,
    types: ['TemplateUpdated', 'TemplateRestored'],
    compare: sameVersion,
    least: () => 0,
  },
  deleteTemplate: { ...content, types: ['TemplateDeleted'] },
  setTemplateLabel: {
    category: 'label',
    isCommand: true,
    types: ['TemplateLabelSet'],
    least: () => 0,
    compare: sameLabels,
    *unchanged({ sent, body, subject }) {
      const { [sent.label ?? '']: version } = (body?.labels ?? {}) as Record<string, Json>
      yield verdict(version === sent.version, () => `${subject}: ${sent.label} is ${version}, not ${sent.version}`)
    },
  },
  removeTemplateLabel: { category: 'label', isCommand: true, types: ['TemplateLabelRemoved'] },
}

/** The answer has the version, the entity tag and the content of its own event, and `If-Match` was honoured. */
function* sameVersion(write: Write, event: LoggedEvent, facts: Facts): Judged {
  const { subject, sent, body, etag, operation } = write
  const { aggregate, revision } = event
  const version = revision + 1
  const name = `${operation} of ${aggregate}`
  const { html, slug } = contentAt(inStream(facts, `template-${aggregate}`), version)
  yield verdict(body?.id === aggregate, () => `${name} was answered with ${body?.id}, the log has ${aggregate}`)
  const wanted = { createTemplate: subject, putTemplate: slug }[operation] ?? aggregate
  yield verdict(subject === wanted, () => `${name}, for ${subject}, is recorded for ${aggregate}`)
  yield verdict(
    body?.version === version,
    () => `${name}: version ${body?.version} was answered, ${version} is recorded`,
  )
  yield verdict(etag?.split('.')[0] === String(version), () => `${name}: the ETag of version ${version} is ${etag}`)
  yield verdict(
    body?.html === html,
    () => `${name}: version ${version} was answered with “${body?.html}”, not “${html}”`,
  )
  yield verdict(body?.slug === slug, () => `${name}: the slug ${body?.slug} was answered, ${slug} is recorded`)
  if (sent.sample !== undefined) yield* sameMerge(write, event, facts)
  if (sent.html !== undefined)
    yield verdict(html === sent.html, () => `${name}: version ${version} has “${html}”, “${sent.html}” was sent`)
  if (operation === 'restoreTemplate' && sent.version !== undefined) {
    const restored = contentAt(inStream(facts, `template-${aggregate}`), sent.version).html
    yield verdict(html === restored, () => `${name}: version ${version} is not that of ${sent.version}`)
  }
  if (sent.ifVersion !== undefined)
    yield verdict(revision === sent.ifVersion, () => `${name}: a change of version ${sent.ifVersion} made ${version}`)
}

/** A merge changes the one sample that it names, and keeps those that others have merged meanwhile. */
function* sameMerge({ sent, body }: Write, { aggregate, revision, data }: LoggedEvent, facts: Facts): Judged {
  const name = sent.sample ?? ''
  const events = inStream(facts, `template-${aggregate}`).filter((event) => event.revision < revision)
  const before = samplesOf(events.findLast((event) => event.type !== 'TemplateDeleted')?.data)
  const after = samplesOf(data)
  const wanted = { ...before, [name]: { ...before[name], ...(sent.merged as JsonObject) } }
  const same = isDeepStrictEqual(after, wanted)
  const [has, should] = [JSON.stringify(after), JSON.stringify(wanted)]
  yield verdict(same, () => `${aggregate}: version ${revision + 1} has the samples ${has}, merged were ${should}`)
  const answered = samplesOf(body)
  yield verdict(
    isDeepStrictEqual(answered, after),
    () => `${aggregate}: the samples ${JSON.stringify(answered)} were answered, ${has} are recorded`,
  )
}

const samplesOf = (data: Record<string, Json> | undefined) => (data?.samples ?? {}) as Record<string, JsonObject>

function contentAt(
  events: readonly LoggedEvent[],
  version: number,
): { html: Json | undefined; slug: Json | undefined } {
  const until = events.filter(({ revision }) => revision < version)
  return {
    html: until.findLast(({ data }) => data.html !== undefined)?.data.html,
    slug: until.find(({ data }) => data.slug !== undefined)?.data.slug,
  }
}

function* sameLabels({ subject, body, sent }: Write, event: LoggedEvent, facts: Facts): Judged {
  const labels = labelsAt(inStream(facts, `label-${event.aggregate}`), event.revision)
  const answered = (body?.labels ?? {}) as Record<string, Json>
  yield verdict(subject === event.aggregate, () => `a label of ${subject} is recorded for ${event.aggregate}`)
  yield verdict(
    event.data.label === sent.label && event.data.version === sent.version,
    () => `${subject}: ${sent.label} of ${sent.version} is recorded as ${event.data.label} of ${event.data.version}`,
  )
  yield verdict(
    sorted(answered) === sorted(labels),
    () => `${subject}: the labels ${sorted(answered)} were answered, the log has ${sorted(labels)}`,
  )
}

function labelsAt(events: readonly LoggedEvent[], revision: number): Record<string, Json> {
  const labels: Record<string, Json> = {}
  for (const { type, data } of events.filter((event) => event.revision <= revision)) {
    if (type === 'TemplateLabelSet') labels[String(data.label)] = data.version ?? null
    else delete labels[String(data.label)]
  }
  return labels
}

const sorted = (labels: Record<string, Json>) => JSON.stringify(Object.entries(labels).sort())

export const templatesRecorded: Check = function* (evidence, facts) {
  yield* recordedAsAnswered(evidence, facts, rules)
  yield* changesInOrder(evidence, facts, { category: 'template', operations: changing })
  for (const [stream, events] of facts.streams) {
    if (!stream.startsWith('label-')) continue
    const id = events[0]?.aggregate
    const versions = inStream(facts, `template-${id}`).length
    for (const { data } of events)
      yield verdict(Number(data.version ?? 1) <= versions, () => `${id}: ${data.label} names version ${data.version}`)
  }
}

export const templateReadsAreFresh: Check = (evidence, facts) =>
  readsAreFresh(evidence, facts, { category: 'template', operations })

/** Each active template has its slug, no two have one at the same time, and what is deleted has none. */
export const slugsAreUnique: Check = function* ({ log, writes }, { streams }) {
  // Active templates by slug, in the order of the log.
  const active = new Map<string, string>()
  const slugs = new Map<string, string>()
  const holders = new Map<string, string | undefined>()
  /** When its creation or restore was acknowledged. */
  const knownMs = new Map<string, number>()
  const own = new Map(writes.map((write) => [write.request, write]))
  for (const { category, type, aggregate, data, request } of log) {
    if (category === 'slug') holders.set(aggregate, type === 'SlugReserved' ? String(data.template_id) : undefined)
    if (category !== 'template') continue
    const { status = 'cut', answeredMs = 0, sentMs = 0 } = own.get(request) ?? {}
    if (type === 'TemplateCreated' || type === 'TemplateRestored') {
      const slug = `${data.owner_id}.${data.slug}`
      const other = active.get(slug)
      yield verdict(other === undefined, () => `${aggregate} and ${other} have the slug ${slug} at the same time`)
      active.set(slug, aggregate)
      slugs.set(aggregate, slug)
      knownMs.set(aggregate, isAcknowledged(status) ? answeredMs : Number.POSITIVE_INFINITY)
    } else if (type === 'TemplateDeleted') {
      const slug = slugs.get(aggregate) ?? ''
      const holder = holders.get(slug)
      const right = holder === aggregate || sentMs <= (knownMs.get(aggregate) ?? 0)
      yield verdict(right, () => `${aggregate} was acknowledged with the slug ${slug}, which ${holder} holds`)
      if (active.get(slug) === aggregate) active.delete(slug)
    }
  }
  for (const [stream, events] of streams) {
    if (!stream.startsWith('slug-')) continue
    const slug = stream.slice('slug-'.length)
    const last = events.at(-1)
    const holder = last?.type === 'SlugReserved' ? last.data.template_id : undefined
    const template = active.get(slug)
    // What a killed process has reserved is free for others after a minute, but a deletion that was acknowledged frees it at once.
    const free = template === undefined && !wasDeleted(writes, String(holder))
    yield verdict(holder === template || free, () => `the slug ${slug} is held by ${holder}, and ${template} uses it`)
  }
  for (const [slug, template] of active)
    yield verdict(streams.has(`slug-${slug}`), () => `${template} has the slug ${slug}, which is not reserved`)
}

/** Its deletion was acknowledged, and nobody tried to restore it since. */
function wasDeleted(writes: readonly Write[], template: string): boolean {
  const own = writes.filter(({ subject }) => subject === template)
  const restoredMs = own.filter(({ operation }) => operation === 'restoreTemplate').map(({ answeredMs }) => answeredMs)
  const lastMs = Math.max(0, ...restoredMs)
  return own.some(
    ({ operation, status, sentMs }) => operation === 'deleteTemplate' && status === 204 && sentMs > lastMs,
  )
}
