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
const isEnd = ({ type }: { type: string }) => endings.includes(type)
const completed = ({ log }: Evidence) => first(log, ({ type }) => type === 'GenerationCompleted')
const fileOf = (evidence: Evidence) => {
  const { object_key } = completed(evidence).data
  return first(evidence.objects, ({ key }) => key === object_key)
}
const acknowledged = ({ changes, log }: Evidence) => {
  const change = first(changes, ({ status, version }) => status === 200 && (version ?? 0) > 1)
  const event = first(log, ({ data }) => data.html === change.html)
  return { change, event }
}

export const spoiledEvidence: readonly Spoiled[] = [
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
    what: 'a read shows an old version of a template',
    invariant: 'I3',
    spoil: ({ reads }) =>
      Object.assign(
        first(reads, ({ version = 0 }) => version > 1),
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
      const post = first(posts, ({ keyed, htmlSha256, id }) => keyed && htmlSha256 !== undefined && id !== undefined)
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
    what: 'an acknowledged change is not recorded',
    invariant: 'I7',
    spoil: (evidence) => remove(evidence.log, acknowledged(evidence).event),
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
      const { change, event } = acknowledged(evidence)
      const html = 'a zombie'
      const early = { sentMs: change.sentMs - 2_000, answeredMs: change.sentMs - 1_000, status: 503 }
      evidence.changes.push({ template: change.template, html, ...early })
      const last = evidence.log.filter(({ aggregate }) => aggregate === event.aggregate).length
      evidence.log.push({ ...event, id: 'x', revision: last, data: { html } })
    },
  },
  {
    what: 'a change for an old version was accepted',
    invariant: 'I7',
    spoil: (evidence) => Object.assign(acknowledged(evidence).change, { ifVersion: 1_000 }),
  },
  {
    what: 'a file without an event is kept',
    invariant: 'I8',
    spoil: ({ keptObjects }) => void keptObjects.push('pdfs/pdf_x.0.pdf'),
  },
  {
    what: 'a recorded file was removed',
    invariant: 'I8',
    spoil: (evidence) => remove(evidence.keptObjects, fileOf(evidence).key),
  },
  {
    what: 'a view lacks a generation',
    invariant: 'I9',
    spoil: ({ views }) => {
      const { generations } = first(views, ({ fresh }) => !fresh)
      delete generations[first(Object.keys(generations))]
    },
  },
  {
    what: 'a view shows an old template',
    invariant: 'I9',
    spoil: ({ views }) => {
      const { templates } = first(views, ({ fresh }) => !fresh)
      templates[first(Object.keys(templates))] = '{}'
    },
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
