import { publishedEventOf } from '@platen/domain/catalogue/events.ts'
import { eventSubject } from '@platen/domain/catalogue/messages.ts'
import type { GenerationEvent } from '@platen/domain/generation/generation-events.ts'
import { absentGeneration, evolveGeneration, outcomeOf } from '@platen/domain/generation/generation-state.ts'
import type { Json } from '@platen/foundation/json/json.ts'
import { type Evidence, endings, type LoggedEvent, type Post } from './evidence.ts'

export interface Verdict {
  invariant: string
  title: string
  /** How many facts were compared. */
  checked: number
  violations: string[]
}

/** The invariants of docs/guarantees.md. Each is judged from what was recorded outside the product. */
const invariants: Record<
  string,
  { title: string; check: (evidence: Evidence, facts: Facts) => Iterable<string | true> }
> = {
  I1: { title: 'every accepted generation ends, and none fails for a fault', check: everyOneEnds },
  I2: { title: 'a generation has exactly one end', check: oneEnd },
  I3: { title: 'GET, lists and reads of templates say what the log says', check: answersMatchLog },
  I4: { title: 'a completed generation has its file: size, hash, pages and text', check: filesMatchLog },
  I5: { title: 'no generation that nobody posted, and one for an Idempotency-Key', check: nothingInvented },
  I6: {
    title: 'each webhook was received, with one id, the same bytes and a valid signature',
    check: webhooksReceived,
  },
  I7: { title: 'an acknowledged template change is in its stream once, in order', check: changesRecorded },
  I8: { title: 'no file without an event stays longer than an hour, and no other is removed', check: noOrphans },
  I9: { title: 'a view is equal to one that is built from the start of the log', check: viewsEqualReplay },
  I10: { title: 'no 5xx but 503 and 504, none after recovery, and no unexpected refusal', check: expectedStatuses },
  S: { title: 'each process that is killed, stopped or suspended starts and goes on', check: processesStart },
  E: { title: 'EVENTS has each event of the log, unchanged and in order', check: publishedInOrder },
}

/** `true` counts a fact that was compared, a text is a violation. */
export function check(evidence: Evidence): Verdict[] {
  const facts = factsOf(evidence)
  return Object.entries(invariants).map(([invariant, { title, check }]) => {
    const all = [...check(evidence, facts)]
    return { invariant, title, checked: all.length, violations: all.filter((one) => one !== true) }
  })
}

interface Facts {
  /** Events by stream, in order of their revisions. */
  streams: Map<string, LoggedEvent[]>
  generations: Map<string, LoggedEvent[]>
  templates: Map<string, LoggedEvent[]>
}

function factsOf({ log }: Evidence): Facts {
  const streams = Map.groupBy(log, ({ category, aggregate }) => `${category}-${aggregate}`)
  for (const events of streams.values()) events.sort((one, other) => one.revision - other.revision)
  const of = (category: string) =>
    new Map([...streams.values()].filter(([first]) => first?.category === category).map((all) => [idOf(all), all]))
  return { streams, generations: of('generation'), templates: of('template') }
}

const idOf = ([first]: readonly LoggedEvent[]) => first?.aggregate ?? ''
const verdict = (right: boolean, violation: () => string): string | true => right || violation()

function outcome(events: readonly LoggedEvent[] = []) {
  return outcomeOf((events as unknown as GenerationEvent[]).reduce(evolveGeneration, absentGeneration))
}

const wasRefused = (end: ReturnType<typeof outcome>) =>
  end?.type === 'GenerationFailed' && end.data.code === 'QUEUE_FULL'

const statuses = { GenerationCompleted: 'completed', GenerationFailed: 'failed', GenerationCancelled: 'cancelled' }

function* everyOneEnds({ posts, settledAfterMs, settleLimitMs }: Evidence, { generations }: Facts) {
  for (const { id, n } of posts) {
    if (id === undefined) continue
    const end = outcome(generations.get(id))
    yield verdict(end !== undefined, () => `${id} of post ${n} was accepted and has no end`)
    // Every document of the test can be printed.
    if (end?.type === 'GenerationFailed') yield `${id} of post ${n} failed: ${end.data.code} ${end.data.message}`
  }
  yield verdict(
    settledAfterMs !== null && settledAfterMs <= settleLimitMs,
    () => `work was open ${settledAfterMs ?? 'for ever'} ms after the faults; the limit is ${settleLimitMs} ms`,
  )
}

function* oneEnd({ posts }: Evidence, { generations }: Facts) {
  for (const [id, events] of generations) {
    const ends = events.filter(({ type }) => endings.includes(type))
    yield verdict(ends.length <= 1, () => `${id} has ${ends.length} ends: ${events.map(({ type }) => type)}`)
    if (ends.length === 1) yield verdict(events.at(-1) === ends[0], () => `${id} goes on after its end`)
    const gapless = events.every(({ revision }, at) => revision === at)
    yield verdict(gapless, () => `${id} has the revisions ${events.map(({ revision }) => revision)}`)
  }
  for (const { id, told, n, cancelled } of posts) {
    const end = id === undefined ? undefined : outcome(generations.get(id))
    if (!end || !told) continue
    yield verdict(told.status === statuses[end.type], () => `${id}: a client was told ${told.status}, not ${end.type}`)
    const spurious = end.type === 'GenerationCancelled' && !cancelled
    yield verdict(!spurious, () => `${id} of post ${n} was cancelled by nobody`)
  }
}

function* answersMatchLog({ polled, reads, changes, posts }: Evidence, { generations }: Facts) {
  for (const { id, gateway, httpStatus, status, size, pages } of polled) {
    const end = outcome(generations.get(id))
    if (!end) continue
    const same = httpStatus === 200 && status === statuses[end.type]
    yield verdict(same, () => `${gateway}: GET ${id} says ${httpStatus} ${status}, the log ${end.type}`)
    if (end.type !== 'GenerationCompleted') continue
    const { data } = end
    yield verdict(size === data.size && pages === data.pages, () => `${gateway}: GET ${id} has another size or pages`)
  }
  const acknowledged = Map.groupBy(
    changes.filter(({ version, status }) => version !== undefined && status !== 'cut' && status < 300),
    ({ template }) => template,
  )
  const newestAt = (template: string, ms: number) =>
    (acknowledged.get(template) ?? [])
      .filter(({ answeredMs }) => answeredMs < ms)
      .reduce((newest, { version = 0 }) => Math.max(newest, version), 0)
  for (const { template, gateway, sentMs, status, version = 0 } of reads) {
    if (status === 'cut' || status === 503 || status === 504) continue
    const known = newestAt(template, sentMs)
    const fresh = status === 200 ? version >= known : known === 0
    yield verdict(fresh, () => `${gateway}: a read of ${template} says ${status} version ${version} after ${known}`)
  }
  for (const { id, template } of posts) {
    const [requested] = generations.get(id ?? '') ?? []
    const printed = requested?.data.template as { id: string; version: number } | undefined
    if (!template || !printed) continue
    const fresh = printed.id === template.id && printed.version >= template.atLeast
    yield verdict(fresh, () => `${id} was printed from version ${printed.version}, not ${template.atLeast} or newer`)
  }
}

function* filesMatchLog({ posts, objects, polled }: Evidence, { generations }: Facts) {
  const files = new Map(objects.map((file) => [file.key, file]))
  const texts = new Map(posts.map(({ id, text }) => [id, text]))
  for (const [id, events] of generations) {
    const end = outcome(events)
    if (end?.type !== 'GenerationCompleted') continue
    const { object_key, size, sha256, pages } = end.data
    const file = files.get(object_key)
    if (!file) yield `${id}: there is no object ${object_key}`
    else {
      yield verdict(file.size === size, () => `${id}: ${object_key} has ${file.size} bytes, not ${size}`)
      yield verdict(file.sha256 === sha256, () => `${id}: ${object_key} has another SHA-256`)
      yield verdict(file.isPdf && file.pages === pages, () => `${id}: ${object_key} is no PDF of ${pages} pages`)
      const text = texts.get(id)
      yield verdict(
        text === undefined || file.text.includes(text),
        () => `${id}: its text is ${file.text}, not ${text}`,
      )
    }
  }
  yield* polled.filter(({ size }) => size === 0).map(({ id }) => `${id}: a GET says that its size is 0`)
}

function* nothingInvented({ posts }: Evidence, { generations }: Facts) {
  const byId = new Map(posts.flatMap((post) => (post.id === undefined ? [] : [[post.id, post] as const])))
  const byWebhook = new Map(posts.map((post) => [post.webhookUrl, post]))
  const byHtml = new Map(posts.map((post) => [post.htmlSha256, post]))
  // A post without an answer has no id, and the log does not name its template's text.
  const unanswered = posts.filter(({ id, template, webhookUrl }) => template && !id && !webhookUrl)
  const made = new Map<number, string[]>()
  for (const [id, events] of generations) {
    // Its client was told so, and sends it again. No renderer has read its input, so the log has no hash of it.
    if (wasRefused(outcome(events))) continue
    const [requested] = events
    const { webhook_url, html_sha256, template } = requested?.data ?? {}
    const isUnanswered = (post: Post) => post.template?.id === (template as { id?: string } | undefined)?.id
    const post =
      (webhook_url && byWebhook.get(String(webhook_url))) ||
      (html_sha256 && byHtml.get(String(html_sha256))) ||
      byId.get(id) ||
      unanswered.find((post) => isUnanswered(post) && !made.has(post.n))
    if (post) made.set(post.n, [...(made.get(post.n) ?? []), id])
    yield verdict(post !== undefined, () => `${id} was posted by nobody`)
  }
  for (const { n, keyed, tries } of posts) {
    const ids = made.get(n) ?? []
    const most = keyed ? 1 : tries
    yield verdict(ids.length <= most, () => `post ${n} was sent ${tries} times and made ${ids.length}: ${ids}`)
  }
}

function* webhooksReceived({ posts, calls, log }: Evidence, { generations }: Facts) {
  const byPath = Map.groupBy(calls, ({ path }) => path)
  const deliveries = Map.groupBy(
    log.filter(({ type }) => type === 'DeliveryScheduled'),
    ({ data }) => String(data.generation_id),
  )
  for (const { id, webhookUrl } of posts) {
    const end = outcome(generations.get(id ?? ''))
    if (!id || !webhookUrl || !end) continue
    const got = byPath.get(new URL(webhookUrl).pathname) ?? []
    byPath.delete(new URL(webhookUrl).pathname)
    yield verdict(got.length > 0, () => `${id}: its webhook was not received`)
    const ids = new Set(got.map((call) => call.id))
    yield verdict(ids.size <= 1, () => `${id}: ${got.length} calls have ${ids.size} ids`)
    const bodies = new Set(got.map(({ sha256 }) => sha256))
    yield verdict(bodies.size <= 1, () => `${id}: its webhook has ${bodies.size} different bodies`)
    yield verdict(
      got.every(({ verified }) => verified),
      () => `${id}: a signature of its webhook is not valid`,
    )
    const wanted = `generation.${statuses[end.type]}`
    const right = got.every(({ type, generation }) => type === wanted && generation === id)
    yield verdict(right, () => `${id}: its webhook says ${got[0]?.type} of ${got[0]?.generation}, not ${wanted}`)
    const scheduled = deliveries.get(id) ?? []
    yield verdict(scheduled.length === 1, () => `${id}: ${scheduled.length} deliveries are recorded`)
  }
  const known = new Set(posts.map(({ webhookUrl }) => webhookUrl && new URL(webhookUrl).pathname))
  for (const path of byPath.keys())
    yield verdict(known.has(path), () => `a webhook came to ${path}, which nobody asked for`)
}

function* changesRecorded({ changes }: Evidence, { templates }: Facts) {
  for (const [template, sent] of Map.groupBy(changes, (change) => change.template)) {
    const events = templates.get(template) ?? []
    const gapless = events.every(({ revision }, at) => revision === at)
    yield verdict(gapless, () => `${template} has the revisions ${events.map(({ revision }) => revision)}`)
    const revisions = Map.groupBy(events, ({ data }) => String(data.html))
    for (const { html, version, status, ifVersion } of sent) {
      const found = revisions.get(html) ?? []
      yield verdict(found.length <= 1, () => `${template}: “${html}” is recorded ${found.length} times`)
      if (status !== 'cut' && status < 300)
        yield verdict(
          found[0]?.revision === (version ?? 0) - 1,
          () =>
            `${template}: “${html}” was acknowledged as version ${version}, it is at revision ${found[0]?.revision}`,
        )
      if (version !== undefined && ifVersion !== undefined)
        yield verdict(
          version === ifVersion + 1,
          () => `${template}: “${html}” for version ${ifVersion} made ${version}`,
        )
      if (status === 412 || status === 409)
        yield verdict(found.length === 0, () => `${template}: “${html}” was refused`)
    }
    // A change must not be recorded after one that was sent when its own answer was known.
    const byHtml = new Map(sent.map((change) => [change.html, change]))
    let latest = { sentMs: 0, html: '' }
    for (const { data } of events) {
      const change = byHtml.get(String(data.html))
      if (!change) {
        yield `${template}: “${data.html}” was sent by nobody`
        continue
      }
      const early = change.status === 'cut' || change.answeredMs >= latest.sentMs
      yield verdict(early, () => `${template}: “${change.html}” (${change.status}) is recorded after “${latest.html}”`)
      if (change.sentMs > latest.sentMs) latest = change
    }
  }
}

function* noOrphans({ keptObjects, objects }: Evidence, { generations }: Facts) {
  const recorded = new Set<string>()
  for (const events of generations.values()) {
    const end = outcome(events)
    if (end?.type === 'GenerationCompleted') recorded.add(end.data.object_key)
  }
  const kept = new Set(keptObjects)
  for (const key of kept) yield verdict(recorded.has(key), () => `${key} has no event and is kept for ever`)
  for (const { key } of objects) {
    if (recorded.has(key)) yield verdict(kept.has(key), () => `${key} is recorded and was removed`)
  }
}

function* viewsEqualReplay({ views }: Evidence): Iterable<string | true> {
  const fresh = views.find((view) => view.fresh)
  if (!fresh) return yield 'no view was built from the start of the log'
  for (const view of views) {
    if (view === fresh) continue
    for (const kind of ['generations', 'templates'] as const) {
      for (const id of new Set([...Object.keys(view[kind]), ...Object.keys(fresh[kind])])) {
        const [seen, expected] = [view[kind][id], fresh[kind][id]]
        yield verdict(seen === expected, () => `${view.gateway} lists ${id} as ${seen}, a replay as ${expected}`)
      }
    }
  }
}

function* expectedStatuses({ answers }: Evidence) {
  for (const { request, gateway, status, phase, expected, code, atMs } of answers) {
    const away = status === 503 || status === 504 || status === 'cut'
    const right = phase === 'during' ? away || expected.includes(status) : !away && expected.includes(status)
    const when = `${new Date(atMs).toISOString()} ${phase === 'after' ? 'after recovery' : 'during the faults'}`
    yield verdict(right, () => `${gateway}: ${request} was answered with ${status} ${code ?? ''} (${when})`)
  }
}

function* processesStart({ faults }: Evidence) {
  for (const { name, unstarted, atMs } of faults)
    yield verdict(unstarted === undefined, () => `${new Date(atMs).toISOString()} ${name}: ${unstarted}`)
}

/** What subscribers get of an event in the log. */
function publicData({ type, aggregate: id, data }: LoggedEvent, request: unknown): unknown {
  // This release has recorded the log.
  const published = publishedEventOf(type)?.published
  return published?.toPublic(data as Json, { id, opening: (request ?? published.opening?.lost ?? null) as Json })
}

function* publishedInOrder({ published, log }: Evidence) {
  const logged = new Map(log.map((event) => [event.id, event]))
  const requests = new Map(
    log.flatMap((event) => (event.type === 'GenerationRequested' ? [[event.aggregate, event.data]] : [])),
  )
  const seen = new Set<string>()
  const last = new Map<string, number>()
  for (const { id, aggregate, revision, type, subject, data, seq } of published) {
    const event = logged.get(id)
    if (!event) {
      yield `message ${seq}, ${type} of ${aggregate}, is not in the log`
      continue
    }
    const same =
      event.type === type &&
      event.revision === revision &&
      event.aggregate === aggregate &&
      subject === eventSubject(type, aggregate) &&
      JSON.stringify(publicData(event, requests.get(aggregate))) === JSON.stringify(data)
    yield verdict(same, () => `message ${seq} differs from the event ${id} of ${aggregate}`)
    if (seen.has(id)) continue
    seen.add(id)
    const before = last.get(aggregate) ?? -1
    yield verdict(revision > before, () => `message ${seq}: revision ${revision} of ${aggregate} after ${before}`)
    last.set(aggregate, revision)
  }
  for (const { id, type, aggregate } of log) {
    if (eventSubject(type, aggregate) === undefined) continue
    yield verdict(seen.has(id), () => `${type} of ${aggregate} was not published`)
  }
}
