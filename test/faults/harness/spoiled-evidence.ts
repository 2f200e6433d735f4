import { type Evidence, endings } from './evidence.ts'

/** What a fault of the product would leave behind. Each must make the checker report `invariant`. */
export interface Spoiled {
  what: string
  invariant: string
  spoil: (evidence: Evidence) => unknown
}

/** The first item that fits; a run without one cannot show anything. */
function first<Item>(items: readonly Item[], fits: (item: Item) => boolean | undefined = () => true): Item {
  const found = items.find((item) => fits(item))
  if (found === undefined) throw new Error(`the evidence has nothing like ${fits}`)
  return found
}

const remove = <Item>(items: Item[], item: Item) => items.splice(items.indexOf(item), 1)
const placeOf = ({ category, aggregate, revision }: Evidence['log'][number]) => `${category}-${aggregate}@${revision}`
const isEnd = ({ type }: { type: string }) => endings.includes(type)
/** Erased generations have no file. */
const isErased = ({ verbs }: Evidence, id: string) => verbs.erased.some(({ ids }) => ids.includes(id))
const completed = (evidence: Evidence) =>
  first(evidence.log, ({ type, aggregate }) => type === 'GenerationCompleted' && !isErased(evidence, aggregate))
const fileOf = (evidence: Evidence) => {
  const { object_key } = completed(evidence).data
  return first(evidence.objects, ({ key }) => key === object_key)
}
/** Excludes events of what the change needs, such as a slug. */
const isOfItself = ({ category }: Evidence['log'][number]) => category !== 'slug' && category !== 'assetcontent'
/** An acknowledged write of an operation, and the event that it has recorded. */
const acknowledged = ({ writes, log }: Evidence, operation = 'updateTemplate') => {
  const write = first(writes, (one) => {
    const isOwn = one.operation === operation && one.status !== 'cut' && one.status < 300
    // What such a 202 has said may not be recorded.
    if (operation === 'rotateApiKey' && one.status === 202) return false
    return isOwn && log.some((event) => event.request === one.request && isOfItself(event))
  })
  return { write, event: first(log, (event) => event.request === write.request && isOfItself(event)) }
}
const ofBatch = (log: Evidence['log'], type: string) => first(log, (event) => event.type === type)
/** Includes requests with a key, whose event may name an earlier try. */
const answered = ({ writes }: Evidence, operation: string) =>
  first(writes, (one) => one.operation === operation && one.status !== 'cut' && one.status < 300)

export const spoiledEvidence: readonly Spoiled[] = [
  {
    what: 'requests fail for as long as a node of a cluster is away',
    invariant: 'C',
    spoil: ({ faults }) => {
      const [fault] = faults
      if (fault) fault.election = { electedMs: 1, recoveredMs: null, liftedMs: 2, again: false }
    },
  },
  {
    what: 'a request fails although the cluster has elected and worked again',
    invariant: 'C',
    spoil: ({ faults, answers }) => {
      const [fault, answer] = [first(faults), first(answers)]
      fault.election = { electedMs: 1, recoveredMs: 2, liftedMs: Number.MAX_SAFE_INTEGER, again: false }
      Object.assign(answer, { status: 503, ms: 10, phase: 'during' })
    },
  },
  {
    what: 'an accepted generation has no end',
    invariant: 'I1',
    spoil: ({ log, posts }) => {
      const ids = new Set(posts.map(({ id }) => id))
      remove(
        log,
        first(log, (event) => isEnd(event) && ids.has(event.aggregate)),
      )
    },
  },
  {
    what: 'a generation failed although its document can be printed',
    invariant: 'I1',
    spoil: (evidence) => {
      const ids = new Set(evidence.posts.map(({ id }) => id))
      const end = first(evidence.log, ({ type, aggregate }) => type === 'GenerationCompleted' && ids.has(aggregate))
      Object.assign(end, { type: 'GenerationFailed', data: { code: 'RENDER_FAILED', message: 'no' } })
    },
  },
  {
    what: 'an accepted generation has no stream',
    invariant: 'I1',
    spoil: (evidence) => {
      const { aggregate } = completed(evidence)
      evidence.log = evidence.log.filter((event) => event.aggregate !== aggregate)
    },
  },
  {
    what: 'work is open after the limit',
    invariant: 'I1',
    spoil: (evidence) => Object.assign(evidence, { settledAfterMs: null }),
  },
  {
    what: 'a generation ends twice',
    invariant: 'I2',
    spoil: (evidence) => {
      const end = completed(evidence)
      evidence.log.push({ ...end, id: 'another', revision: end.revision + 1 })
    },
  },
  {
    what: 'a client was told of another end',
    invariant: 'I2',
    spoil: ({ posts }) =>
      Object.assign(
        first(posts, ({ told }) => told?.status === 'completed'),
        { told: { status: 'failed' } },
      ),
  },
  {
    what: 'a GET says another status',
    invariant: 'I3',
    spoil: ({ polled }) =>
      Object.assign(
        first(polled, ({ status }) => status === 'completed'),
        { status: 'rendering' },
      ),
  },
  {
    what: 'a GET answers 404 for an accepted id',
    invariant: 'I3',
    spoil: ({ polled }) => Object.assign(first(polled), { httpStatus: 404 }),
  },
  {
    what: 'a kept input cannot be read',
    invariant: 'I4',
    spoil: (evidence) => {
      const { aggregate } = first(
        evidence.log,
        ({ data, aggregate }) => data.kept_input !== undefined && !isErased(evidence, aggregate),
      )
      evidence.kept = evidence.kept.filter(({ id }) => id !== aggregate)
    },
  },
  {
    what: 'another input is kept than was printed',
    invariant: 'I4',
    spoil: (evidence) => {
      const { id } = first(evidence.kept, (one) => one.htmlSha256 !== undefined && !isErased(evidence, one.id))
      Object.assign(
        first(evidence.kept, (one) => one.id === id),
        { htmlSha256: 'a' },
      )
    },
  },
  {
    what: 'a read shows an old version of a template',
    invariant: 'I3',
    spoil: ({ reads }) =>
      Object.assign(
        first(reads, ({ version = 0, stream }) => version > 1 && stream.startsWith('template')),
        { version: 0 },
      ),
  },
  {
    what: 'a document is printed from an old version of its template',
    invariant: 'I3',
    spoil: ({ posts, log }) => {
      const post = first(posts, ({ template, id }) => template !== undefined && log.some((e) => e.aggregate === id))
      if (post.template) post.template.atLeast += 1_000
    },
  },
  {
    what: 'a batch has no end',
    invariant: 'I1',
    spoil: ({ log }) => remove(log, ofBatch(log, 'BatchEnded')),
  },
  {
    what: 'an accepted batch is not recorded',
    invariant: 'I1',
    spoil: (evidence) => {
      const { aggregate } = ofBatch(evidence.log, 'BatchCreated')
      evidence.log = evidence.log.filter((event) => event.aggregate !== aggregate)
    },
  },
  {
    what: 'a batch ends twice',
    invariant: 'I2',
    spoil: ({ log }) => {
      const end = ofBatch(log, 'BatchEnded')
      log.push({ ...end, id: 'another', revision: end.revision + 1 })
    },
  },
  {
    what: 'an item was completed and counted as cancelled',
    invariant: 'I2',
    spoil: ({ log }) => {
      const { data } = first(log, ({ type, data }) => type === 'BatchEnded' && Number(data.completed) > 0)
      Object.assign(data, { completed: Number(data.completed) - 1, cancelled: Number(data.cancelled) + 1 })
    },
  },
  {
    what: 'a batch that nobody cancelled ends as cancelled',
    invariant: 'I2',
    spoil: ({ batches }) =>
      Object.assign(
        first(batches, ({ told }) => told?.status === 'cancelled'),
        { cancelled: false },
      ),
  },
  {
    what: 'the items of a batch are listed in another order',
    invariant: 'I3',
    spoil: ({ batchReads }) => first(batchReads, ({ items }) => items.length > 1).items.reverse(),
  },
  {
    what: 'a GET of a batch has other counts',
    invariant: 'I3',
    spoil: ({ batchReads }) => {
      const { counts } = first(batchReads, ({ counts }) => counts !== undefined)
      if (counts) counts.failed += 1
    },
  },
  {
    what: 'a ZIP has the files of a batch in another order',
    invariant: 'I4',
    spoil: ({ batches, batchReads }) => {
      const ofHtml = new Set(batches.filter(({ template }) => template === undefined).flatMap(({ ids }) => ids))
      first(
        batchReads,
        ({ id, zip }) => ofHtml.has(id) && zip !== undefined && zip.texts.length > 1,
      ).zip?.texts.reverse()
    },
  },
  {
    what: 'a merged PDF lacks a page',
    invariant: 'I4',
    spoil: ({ batchReads }) => first(batchReads, ({ merged }) => Number(merged?.texts.length) > 1).merged?.texts.pop(),
  },
  {
    what: 'an Idempotency-Key made two batches',
    invariant: 'I5',
    spoil: ({ batches }) => first(batches, ({ keyed, ids }) => keyed && ids.length > 0).ids.push('bat_x'),
  },
  {
    what: 'an item is no item of its batch',
    invariant: 'I5',
    spoil: ({ log }) => {
      const { data } = first(log, ({ type, data }) => type === 'GenerationRequested' && data.batch !== undefined)
      Object.assign(data.batch ?? {}, { index: 100_000 })
    },
  },
  {
    what: 'the webhook of a batch was not received',
    invariant: 'I6',
    spoil: (evidence) => {
      const { path } = first(evidence.calls, ({ type }) => type.startsWith('batch.'))
      evidence.calls = evidence.calls.filter((call) => call.path !== path)
    },
  },
  {
    what: 'an acknowledged cancel of a batch is not recorded',
    invariant: 'I7',
    spoil: ({ log }) => remove(log, ofBatch(log, 'BatchCancelRequested')),
  },
  {
    what: 'the items of a batch are gone',
    invariant: 'I8',
    spoil: ({ objects, verbs, log }) => {
      const { erased } = verbs
      const ids = erased.flatMap(({ ids }) => ids)
      const items = log.filter(({ aggregate, data }) => ids.includes(aggregate) && data.batch)
      const isErasedBatch = (key: string) =>
        items.some(({ data }) => key.includes(String((data.batch as { id: string }).id)))
      remove(
        objects,
        first(objects, ({ key }) => key.startsWith('inputs/bat_') && !isErasedBatch(key)),
      )
    },
  },
  {
    what: 'an input is kept after its retention',
    invariant: 'I8',
    spoil: ({ keptObjects }) => keptObjects.push('inputs/pdf_x'),
  },
  { what: 'a file is missing', invariant: 'I4', spoil: (evidence) => remove(evidence.objects, fileOf(evidence)) },
  {
    what: 'a file has another size',
    invariant: 'I4',
    spoil: (evidence) => Object.assign(fileOf(evidence), { size: fileOf(evidence).size + 1 }),
  },
  {
    what: 'a file has other bytes',
    invariant: 'I4',
    spoil: (evidence) => Object.assign(fileOf(evidence), { sha256: '0' }),
  },
  { what: 'a file is no PDF', invariant: 'I4', spoil: (evidence) => Object.assign(fileOf(evidence), { isPdf: false }) },
  {
    what: 'a file has another number of pages',
    invariant: 'I4',
    spoil: (evidence) => Object.assign(fileOf(evidence), { pages: fileOf(evidence).pages + 1 }),
  },
  {
    what: 'a file shows the document of another',
    invariant: 'I4',
    spoil: (evidence) => {
      const texts = new Set(
        evidence.posts.filter(({ id }) => id === completed(evidence).aggregate).map(({ text }) => text),
      )
      fileOf(evidence).text = texts.has('Edit ') ? 'Document' : 'Edit '
    },
  },
  {
    what: 'a generation was posted by nobody',
    invariant: 'I5',
    spoil: (evidence) => {
      const requested = first(evidence.log, ({ type }) => type === 'GenerationRequested')
      evidence.log.push({ ...requested, id: 'x', aggregate: 'pdf_x', data: { html_sha256: 'x' } })
    },
  },
  {
    what: 'an Idempotency-Key made two generations',
    invariant: 'I5',
    spoil: ({ log, posts }) => {
      // One that was refused may be made again.
      const kept = posts.filter(({ mayBeRefused = false }) => !mayBeRefused)
      const post = first(kept, ({ keyed, htmlSha256, id }) => keyed && htmlSha256 !== undefined && id !== undefined)
      const requested = first(log, ({ aggregate }) => aggregate === post.id)
      log.push({ ...requested, id: 'x', aggregate: 'pdf_x', data: { html_sha256: post.htmlSha256 ?? '' } })
    },
  },
  {
    what: 'a webhook was not received',
    invariant: 'I6',
    spoil: (evidence) => {
      const { path } = first(evidence.calls)
      evidence.calls = evidence.calls.filter((call) => call.path !== path)
    },
  },
  {
    what: 'a webhook was received with two ids',
    invariant: 'I6',
    spoil: ({ calls }) => void calls.push({ ...first(calls), id: 'msg_another' }),
  },
  {
    what: 'the bytes of a webhook differ',
    invariant: 'I6',
    spoil: ({ calls }) => void calls.push({ ...first(calls), sha256: 'another' }),
  },
  {
    what: 'a signature is not valid',
    invariant: 'I6',
    spoil: ({ calls }) => Object.assign(first(calls), { verified: false }),
  },
  {
    what: 'a webhook says another status',
    invariant: 'I6',
    spoil: ({ calls }) =>
      Object.assign(
        first(calls, ({ type }) => type === 'generation.completed'),
        { type: 'generation.failed' },
      ),
  },
  {
    what: 'a post with a key was told two ids',
    invariant: 'I5',
    spoil: ({ posts }) => Object.assign(first(posts), { earlierIds: ['pdf_x'] }),
  },
  {
    what: 'a preview has recorded an event',
    invariant: 'I5',
    spoil: (evidence) => {
      const { request = '' } = answered(evidence, 'preview')
      evidence.log.push({ ...completed(evidence), id: 'x', aggregate: 'pdf_x', request })
    },
  },
  {
    what: 'a preview is no PDF',
    invariant: 'I5',
    spoil: (evidence) => Object.assign(answered(evidence, 'preview').body ?? {}, { begins: '<html' }),
  },
  {
    what: 'the test of a webhook has recorded an event',
    invariant: 'I5',
    spoil: (evidence) => {
      const { request = '' } = answered(evidence, 'testWebhook')
      evidence.log.push({ ...completed(evidence), id: 'y', aggregate: 'pdf_y', request })
    },
  },
  {
    what: 'the test of a webhook was sent twice',
    invariant: 'I5',
    spoil: (evidence) => Object.assign(answered(evidence, 'testWebhook').body ?? {}, { calls: 2 }),
  },
  {
    what: 'a redelivery was acknowledged and not sent',
    invariant: 'I6',
    spoil: (evidence) => {
      const { sentMs } = answered(evidence, 'redeliverDelivery')
      evidence.calls = evidence.calls.filter(({ atMs }) => atMs < sentMs)
    },
  },
  {
    what: 'a redelivery has ended as exhausted',
    invariant: 'I6',
    spoil: (evidence) => {
      const { aggregate } = acknowledged(evidence, 'redeliverGeneration').event
      const last = evidence.log.findLast((event) => event.aggregate === aggregate)
      if (last) last.type = 'DeliveryExhausted'
    },
  },
  {
    what: 'a batch of redeliveries says that there was none',
    invariant: 'I6',
    spoil: (evidence) => {
      const write = answered(evidence, 'redeliverRange')
      write.body = { redelivered: Number(write.body?.redelivered) + 1 }
    },
  },
  ...[
    'updateTemplate',
    'updatePartial',
    'putAsset',
    'issueApiKey',
    'rotateApiKey',
    'createOwner',
    'rotateWebhookSecret',
  ].map(
    (operation): Spoiled => ({
      what: `an acknowledged ${operation} is not recorded`,
      invariant: 'I7',
      spoil: (evidence) => {
        const { event } = acknowledged(evidence, operation)
        if (operation !== 'putAsset') return remove(evidence.log, event)
        return Object.assign(event.data, { sha256: '0' })
      },
    }),
  ),
  {
    what: 'a template was created and is not recorded',
    invariant: 'I7',
    spoil: (evidence) => {
      const { html } = answered(evidence, 'createTemplate').sent
      evidence.log = evidence.log.filter(({ data }) => data.html !== html)
    },
  },
  ...['updateTemplate', 'restoreTemplate', 'updatePartial', 'putAsset'].map(
    (operation): Spoiled => ({
      what: `${operation} was acknowledged with the version of a later change`,
      invariant: 'I7',
      spoil: (evidence) => {
        const { write } = acknowledged(evidence, operation)
        write.body = { ...write.body, version: Number(write.body?.version) + 1 }
      },
    }),
  ),
  {
    what: 'an answer has the ETag of a later version',
    invariant: 'I7',
    spoil: (evidence) => Object.assign(acknowledged(evidence).write, { etag: '1000' }),
  },
  {
    what: 'an answer has the source of a later version',
    invariant: 'I7',
    spoil: (evidence) => Object.assign(acknowledged(evidence).write.body ?? {}, { html: 'another' }),
  },
  {
    what: 'an answer has other labels than its event',
    invariant: 'I7',
    spoil: (evidence) => Object.assign(acknowledged(evidence, 'setTemplateLabel').write.body ?? {}, { labels: {} }),
  },
  {
    what: 'an answer has a secret that is not recorded',
    invariant: 'I7',
    spoil: (evidence) => Object.assign(acknowledged(evidence, 'rotateApiKey').write.body ?? {}, { key: 'pk_another' }),
  },
  {
    what: 'an answer says that an owner is still active',
    invariant: 'I7',
    spoil: (evidence) => {
      const write = first(evidence.writes, ({ sent, body }) => sent.status === 'disabled' && body !== undefined)
      Object.assign(write.body ?? {}, { status: 'active' })
    },
  },
  {
    what: 'a change that was refused is recorded',
    invariant: 'I7',
    spoil: (evidence) => Object.assign(acknowledged(evidence).write, { status: 422, code: 'TEMPLATE_SYNTAX_ERROR' }),
  },
  {
    what: 'a recorded change is answered with 503 without a fault',
    invariant: 'I7',
    spoil: (evidence) => {
      evidence.faults = []
      Object.assign(acknowledged(evidence).write, { status: 503 })
    },
  },
  {
    what: 'a change is recorded twice',
    invariant: 'I7',
    spoil: (evidence) => {
      const { event } = acknowledged(evidence)
      const last = evidence.log.filter(({ aggregate }) => aggregate === event.aggregate).length
      evidence.log.push({ ...event, id: 'x', revision: last })
    },
  },
  {
    what: 'a change that was answered with 503 overwrites a later one',
    invariant: 'I7',
    spoil: (evidence) => {
      const { write, event } = acknowledged(evidence)
      const html = 'a zombie'
      const early = { sentMs: write.sentMs - 2_000, answeredMs: write.sentMs - 1_000, status: 503, sent: { html } }
      evidence.writes.push({ ...write, request: 'req_x', ...early })
      const last = evidence.log.filter(({ aggregate }) => aggregate === event.aggregate).length
      evidence.log.push({ ...event, id: 'x', revision: last, data: { html }, request: 'req_x' })
    },
  },
  ...['updateTemplate', 'updatePartial', 'putAsset'].map(
    (operation): Spoiled => ({
      what: `${operation} with an old If-Match was accepted`,
      invariant: 'I7',
      spoil: (evidence) => {
        const { sent } = acknowledged(evidence, operation).write
        Object.assign(sent, operation === 'putAsset' ? { ifSha256: '0' } : { ifVersion: 1_000 })
      },
    }),
  ),
  {
    what: 'two templates have a slug at the same time',
    invariant: 'I11',
    spoil: ({ log }) => {
      const created = first(log, ({ type }) => type === 'TemplateCreated')
      log.splice(log.indexOf(created) + 1, 0, { ...created, id: 'x', aggregate: 'tpl_x' })
    },
  },
  {
    what: 'a slug is held by a template whose deletion was acknowledged',
    invariant: 'I11',
    spoil: ({ log, writes }) => {
      const reserved = first(log, ({ type }) => type === 'SlugReserved')
      log.push({ ...reserved, id: 'x', aggregate: 'own_default.nobody', data: { template_id: 'tpl_x' } })
      const deletion = first(writes, ({ operation, status }) => operation === 'deleteTemplate' && status === 204)
      writes.push({ ...deletion, request: 'req_x', subject: 'tpl_x' })
      log.push({
        ...reserved,
        id: 'y',
        category: 'template',
        aggregate: 'tpl_x',
        type: 'TemplateDeleted',
        request: 'req_x',
      })
    },
  },
  {
    what: 'a template has lost its slug',
    invariant: 'I11',
    spoil: (evidence) => {
      const { aggregate } = acknowledged(evidence).event
      const { data } = first(evidence.log, (event) => event.aggregate === aggregate)
      evidence.log = evidence.log.filter((event) => event.aggregate !== `${data.owner_id}.${data.slug}`)
    },
  },
  {
    what: 'a file without an event is kept',
    invariant: 'I8',
    spoil: ({ keptObjects }) => void keptObjects.push('pdfs/pdf_x.0.pdf'),
  },
  {
    what: 'the bytes of an asset without an event are kept',
    invariant: 'I8',
    spoil: ({ keptObjects }) => void keptObjects.push('assets/own_default.0'),
  },
  {
    what: 'a sweep has removed an asset',
    invariant: 'I4',
    spoil: (evidence) => {
      const { aggregate, data } = first(evidence.log, ({ type }) => type === 'AssetStored')
      evidence.objects = evidence.objects.filter(
        ({ key }) => key !== `assets/${aggregate}.${data.sha256}.${data.object}`,
      )
    },
  },
  {
    what: 'a file of an erased generation is left',
    invariant: 'I8',
    spoil: (evidence) => void evidence.verbs.erased.push({ ids: [completed(evidence).aggregate] }),
  },
  {
    what: 'a recorded file was removed',
    invariant: 'I8',
    spoil: (evidence) => remove(evidence.keptObjects, fileOf(evidence).key),
  },
  ...['generations', 'templates', 'partials', 'assets', 'keys', 'owners', 'deliveries'].map(
    (kind): Spoiled => ({
      what: `a view of ${kind} lacks a row`,
      invariant: 'I9',
      spoil: ({ views }) => {
        const rows =
          first(views, (view) => !view.fresh && Object.keys(view.rows[kind] ?? {}).length > 0).rows[kind] ?? {}
        delete rows[first(Object.keys(rows))]
      },
    }),
  ),
  {
    what: 'a view shows an old template',
    invariant: 'I9',
    spoil: ({ views }) => {
      const rows = first(views, (view) => !view.fresh && view.rows.templates !== undefined).rows.templates ?? {}
      rows[first(Object.keys(rows))] = '{}'
    },
  },
  {
    what: 'the archive lacks an event',
    invariant: 'V',
    spoil: ({ verbs }) => verbs.archived?.splice(2, 1),
  },
  {
    what: 'the archive has an event twice',
    invariant: 'V',
    spoil: ({ verbs }) => verbs.archived?.push(first(verbs.archived)),
  },
  {
    what: 'a verb fails after recovery',
    invariant: 'V',
    spoil: ({ verbs }) => void verbs.runs.push({ verb: 'archive', ended: '1', expected: '0', printed: 'no' }),
  },
  {
    what: 'a replay has published fewer events than it said',
    invariant: 'V',
    spoil: ({ verbs }) => first(verbs.replayed).ids.pop(),
  },
  {
    what: 'a backup lacks a file that its log names',
    invariant: 'V',
    spoil: (evidence) => {
      const events = evidence.log.map(placeOf)
      evidence.verbs.restored.push({ interrupted: true, code: 0, printed: '', events, files: {} })
    },
  },
  {
    what: 'a backup lacks an event',
    invariant: 'V',
    spoil: ({ log, verbs, objects }) => {
      const events = log.slice(1).map(placeOf)
      const files = Object.fromEntries(objects.map(({ key, sha256 }) => [key, sha256]))
      verbs.restored.push({ interrupted: false, code: 0, printed: '', events, files })
    },
  },
  {
    what: 'a restore replaces an event store that is open',
    invariant: 'V',
    spoil: ({ verbs }) => void verbs.runs.push({ verb: 'restore', ended: '0', expected: '1', printed: '' }),
  },
  {
    what: 'a dead letter is removed and its command is not executed',
    invariant: 'V',
    spoil: ({ verbs }) => Object.assign(first(verbs.retried), { request: 'req_unknown', isKept: false }),
  },
  {
    what: 'the command of a dead letter is executed, and the dead letter is kept',
    invariant: 'V',
    spoil: ({ verbs }) =>
      Object.assign(
        first(verbs.retried, ({ ended }) => ended === '0'),
        { isKept: true },
      ),
  },
  {
    what: 'the dead letter of an item is kept, although its retry has completed',
    invariant: 'V',
    spoil: ({ verbs }) => Object.assign(first(verbs.items), { isKept: true }),
  },
  {
    what: 'the dead letter of an item is gone, and its retry has not completed',
    invariant: 'V',
    spoil: ({ verbs, log }) => {
      const { item } = first(verbs.items)
      const again = first(log, ({ type, data }) => type === 'GenerationRequested' && data.retry_of === item)
      remove(
        log,
        first(log, ({ type, aggregate }) => type === 'GenerationCompleted' && aggregate === again.aggregate),
      )
    },
  },
  {
    what: 'the retry of the dead letter of an item is an item of its batch',
    invariant: 'I5',
    spoil: ({ verbs, log }) => {
      const { item } = first(verbs.items)
      const again = first(log, ({ type, data }) => type === 'GenerationRequested' && data.retry_of === item)
      const { batch } = first(log, ({ type, aggregate }) => type === 'GenerationRequested' && aggregate === item).data
      if (batch !== undefined) again.data = { ...again.data, batch }
    },
  },
  {
    what: 'the webhook of another owner is sent again',
    invariant: 'V',
    spoil: ({ verbs }) =>
      Object.assign(
        first(verbs.redelivered, ({ owner, ids }) => owner !== undefined && ids.length > 0),
        { owner: 'own_other' },
      ),
  },
  {
    what: 'a webhook that was said to be due is not',
    invariant: 'V',
    spoil: ({ verbs }) => void first(verbs.redelivered).ids.push('msg_unknown'),
  },
  {
    what: 'a generation that was said to be cancelled is completed',
    invariant: 'V',
    spoil: (evidence) => {
      const { aggregate: id } = completed(evidence)
      evidence.verbs.cancelled.push({ id, cancelled: true, endedAs: 'GenerationCancelled' })
    },
  },
  {
    what: 'a list with filters hides a generation',
    invariant: 'I3',
    spoil: ({ lists }) => void first(lists, ({ got }) => got.length > 0).wanted.push('pdf_hidden'),
  },
  {
    what: 'a list with filters has a generation that it does not ask for',
    invariant: 'I3',
    spoil: ({ lists }) => void first(lists).got.push({ id: 'pdf_other', fits: false }),
  },
  {
    what: 'a merge drops what another one has merged',
    invariant: 'I7',
    spoil: (evidence) => {
      const write = first(evidence.writes, ({ sent, status }) => sent.sample !== undefined && status === 200)
      const { data } = first(evidence.log, ({ request }) => request === write.request)
      data.samples = {}
    },
  },
  {
    what: 'a rotated secret is lost with its answer',
    invariant: 'I7',
    spoil: (evidence) => {
      const { write } = acknowledged(evidence, 'rotateApiKey')
      Object.assign(write, { status: 503, code: 'SERVICE_UNAVAILABLE' })
    },
  },
  {
    what: 'a change that was recorded while the event store answered no gateway is a 503',
    invariant: 'I7',
    spoil: (evidence) => {
      const { write } = acknowledged(evidence)
      Object.assign(write, { status: 503, code: 'SERVICE_UNAVAILABLE' })
      for (const fault of evidence.faults) fault.sparesCommands = true
    },
  },
  {
    what: 'a preview is refused and not sent again',
    invariant: 'I10',
    spoil: (evidence) => {
      evidence.faults.length = 0
      Object.assign(
        first(evidence.answers, ({ operation }) => operation === 'preview'),
        { status: 503, code: 'SERVICE_UNAVAILABLE', ms: 200, phase: 'during' },
      )
    },
  },
  {
    what: 'a bucket has no limit',
    invariant: 'L',
    spoil: ({ streams }) =>
      Object.assign(
        first(streams, ({ name }) => name === 'EVENTS'),
        { maxBytes: -1, maxAgeS: 0 },
      ),
  },
  {
    what: 'messages are left when all work has ended',
    invariant: 'L',
    spoil: ({ streams }) =>
      Object.assign(
        first(streams, ({ name }) => name === 'COMMANDS'),
        { messages: 1 },
      ),
  },
  {
    what: 'a stream is larger than its limit',
    invariant: 'L',
    spoil: ({ streams }) => Object.assign(first(streams), { maxBytes: 1, bytes: 2 }),
  },
  {
    what: 'a request reads all that was stored before',
    invariant: 'L',
    spoil: ({ costs }) => Object.assign(first(costs), { old: 1e6 }),
  },
  {
    what: 'webhooks are sent twice although nothing is disturbed',
    invariant: 'I6',
    spoil(evidence) {
      evidence.faults = []
      evidence.calls.push(...structuredClone(evidence.calls))
    },
  },
  {
    what: 'no request of an operation was accepted',
    invariant: 'W',
    spoil: ({ operations }) => void operations.push('deleteEverything'),
  },
  {
    what: 'a request is answered with 500',
    invariant: 'I10',
    spoil: ({ answers }) => Object.assign(first(answers), { status: 500 }),
  },
  {
    what: 'a request is answered with 503 after recovery',
    invariant: 'I10',
    spoil: ({ answers }) =>
      Object.assign(
        first(answers, ({ phase }) => phase === 'after'),
        { status: 503 },
      ),
  },
  {
    what: 'an event was not published',
    invariant: 'E',
    spoil: (evidence) => {
      const { id } = first(evidence.published)
      evidence.published = evidence.published.filter((event) => event.id !== id)
    },
  },
  {
    what: 'events of a generation were published in another order',
    invariant: 'E',
    spoil: ({ published }) => {
      const end = first(published, ({ type, revision }) => type === 'GenerationCompleted' && revision > 0)
      published.unshift(...published.splice(published.indexOf(end), 1))
    },
  },
  {
    what: 'a message differs from its event',
    invariant: 'E',
    spoil: ({ published }) => Object.assign(first(published), { revision: 1_000 }),
  },
]
