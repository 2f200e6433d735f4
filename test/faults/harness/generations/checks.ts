import { contentErased, endings } from '../evidence.ts'
import { type Check, verdict } from '../verdict.ts'
import { outcomeOfGeneration as outcome, statuses, wasRefused } from './outcome.ts'
import type { Post } from './post.ts'

export const everyOneEnds: Check = function* ({ posts, settledAfterMs, settleLimitMs }, { generations }) {
  for (const { id, n, mayBeRefused = false } of posts) {
    if (id === undefined) continue
    const end = outcome(generations.get(id))
    yield verdict(end !== undefined, () => `${id} of post ${n} was accepted and has no end`)
    if (mayBeRefused && wasRefused(end)) continue
    // Every document of the test can be printed.
    if (end?.type === 'GenerationFailed') yield `${id} of post ${n} failed: ${end.data.code} ${end.data.message}`
  }
  // Also those that no client knows of: a start that is recorded has an end.
  for (const [id, events] of generations)
    yield verdict(outcome(events) !== undefined, () => `${id} has begun and has no end`)
  yield verdict(
    settledAfterMs !== null && settledAfterMs <= settleLimitMs,
    () => `work was open ${settledAfterMs ?? 'for ever'} ms after the faults; the limit is ${settleLimitMs} ms`,
  )
}

export const oneEnd: Check = function* ({ posts }, { generations }) {
  for (const [id, events] of generations) {
    const ends = events.filter(({ type }) => endings.includes(type))
    yield verdict(ends.length <= 1, () => `${id} has ${ends.length} ends: ${events.map(({ type }) => type)}`)
    const last = events.findLast(({ type }) => type !== contentErased)
    if (ends.length === 1) yield verdict(last === ends[0], () => `${id} goes on after its end`)
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

export const generationAnswersMatchLog: Check = function* ({ polled, posts }, { generations }) {
  for (const { id, gateway, httpStatus, status, size, pages } of polled) {
    const end = outcome(generations.get(id))
    if (!end) continue
    const same = httpStatus === 200 && status === statuses[end.type]
    yield verdict(same, () => `${gateway}: GET ${id} says ${httpStatus} ${status}, the log ${end.type}`)
    if (end.type !== 'GenerationCompleted') continue
    const { data } = end
    yield verdict(size === data.size && pages === data.pages, () => `${gateway}: GET ${id} has another size or pages`)
  }
  for (const { id, template } of posts) {
    const [requested] = generations.get(id ?? '') ?? []
    const printed = requested?.data.template as { id: string; version: number } | undefined
    if (!template || !printed) continue
    const fresh = printed.id === template.id && printed.version >= template.atLeast
    yield verdict(fresh, () => `${id} was printed from version ${printed.version}, not ${template.atLeast} or newer`)
  }
}

export const filesMatchLog: Check = function* ({ posts, objects, polled, verbs }, { generations }) {
  const files = new Map(objects.map((file) => [file.key, file]))
  const texts = new Map(posts.map(({ id, text }) => [id, text]))
  const erased = new Set(verbs.erased.flatMap(({ ids }) => ids))
  for (const [id, events] of generations) {
    const end = outcome(events)
    if (end?.type !== 'GenerationCompleted' || erased.has(id)) continue
    const { object_key, size, sha256, pages, media_type } = end.data
    const file = files.get(object_key)
    if (!file) yield `${id}: there is no object ${object_key}`
    else {
      yield verdict(file.size === size, () => `${id}: ${object_key} has ${file.size} bytes, not ${size}`)
      yield verdict(file.sha256 === sha256, () => `${id}: ${object_key} has another SHA-256`)
      // An operation on PDFs may make a ZIP file or a picture.
      if (media_type !== undefined) continue
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

/** What was requested with `retain_input` can be rendered again, and what was erased cannot. */
export const keptInputsAreRead: Check = function* ({ posts, kept, verbs }, { generations }) {
  const readable = new Map(kept.map((one) => [one.id, one]))
  const erased = new Set(verbs.erased.flatMap(({ ids }) => ids))
  for (const { id, n, retained } of posts) {
    const events = generations.get(id ?? '') ?? []
    if (id === undefined || !retained || outcome(events)?.type !== 'GenerationCompleted') continue
    yield verdict(events[0]?.data.kept_input !== undefined, () => `${id} of post ${n} does not name its kept input`)
  }
  for (const [id, [requested]] of generations) {
    const { kept_input, html_sha256, template } = requested?.data ?? {}
    if (kept_input === undefined) continue
    const input = readable.get(id)
    if (erased.has(id)) {
      yield verdict(input === undefined, () => `${id} was erased, and the key of its input is there`)
      continue
    }
    yield verdict(
      input?.htmlSha256 !== undefined || input?.template !== undefined,
      () => `${id}: its input is not kept`,
    )
    // Absent if no renderer has read it.
    if (html_sha256 === undefined) continue
    yield verdict(input?.htmlSha256 === html_sha256, () => `${id}: another html is kept than was printed`)
    yield verdict(template === undefined || input?.template !== undefined, () => `${id}: its template is not kept`)
  }
}

export const nothingInvented: Check = function* ({ posts, verbs }, { generations }) {
  const retried = new Set(verbs.items.map(({ item }) => item))
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
    if (retried.has(String(requested?.data.retry_of))) continue
    // An item of a batch.
    if (requested?.data.batch) continue
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
  for (const { n, keyed, tries, id, earlierIds = [] } of posts) {
    const ids = made.get(n) ?? []
    const most = keyed ? 1 : tries
    yield verdict(ids.length <= most, () => `post ${n} was sent ${tries} times and made ${ids.length}: ${ids}`)
    const refused = earlierIds.every((earlier) => wasRefused(outcome(generations.get(earlier))))
    yield verdict(refused, () => `post ${n} was told several ids: ${id} and ${earlierIds}`)
  }
}

/** PDFs that no event names are removed, and no other. */
export const noFileOrphans: Check = function* ({ keptObjects, objects, verbs }, { generations }) {
  const recorded = new Set<string>()
  for (const events of generations.values()) {
    const end = outcome(events)
    if (end?.type === 'GenerationCompleted') recorded.add(end.data.object_key)
  }
  const kept = new Set(keptObjects.filter((key) => key.startsWith('pdfs/')))
  for (const key of kept) yield verdict(recorded.has(key), () => `${key} has no event and is kept for ever`)
  for (const { key } of objects) {
    if (recorded.has(key)) yield verdict(kept.has(key), () => `${key} is recorded and was removed`)
  }
  // A receipt says that they are deleted.
  for (const id of verbs.erased.flatMap(({ ids }) => ids)) {
    const left = objects.filter(({ key }) => key.startsWith(`pdfs/${id}`) || key.startsWith(`inputs/${id}`))
    yield verdict(left.length === 0, () => `${id} was erased, and there is ${left.map(({ key }) => key)}`)
  }
}
