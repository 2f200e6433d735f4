import t, { type Test } from 'tap'
import { label } from '../../bench/documents/label.ts'
import { startReceiver } from '../support/notifier/receiver.ts'
import { startCounted, type Work } from '../support/work/counted-platen.ts'
import type { Counts } from '../support/work/counts.ts'
import { otherFlushes, perDocument, pullsAnswered } from '../support/work/per-document.ts'

// What a label costs, in counts that do not depend on the machine. Lower the numbers here after a change that makes it
// cheaper. A change that makes a plain document pay for a feature that it does not use must find another way. `npm run
// bench -- --check` compares the times.

t.setTimeout(600_000)

const documents = 20
/** A page is reset after a hundred. */
const warmUp = 5

const resources = new AsyncDisposableStack()
t.teardown(() => resources.disposeAsync())
const counted = resources.use(await startCounted())
const receiver = resources.use(await startReceiver())
const { platen, uncounted } = counted
if (uncounted !== undefined) t.comment(uncounted)

async function generate(body: object): Promise<void> {
  const { status, body: answer } = await platen.json('/v1/generate', { body: { html: label().html, ...body } })
  if (status !== 200 && status !== 202) throw new Error(`${status}: ${JSON.stringify(answer)}`)
}

/** The work of some labels, until each expected message has come. */
function countLabels(body: object, expected: Counts, labels = documents): Promise<Work> {
  const print = async () => {
    for (let nth = 0; nth < labels; nth++) await generate(body)
  }
  const isDone = (work: Work) => {
    const { messages } = oneQueue(work)
    return Object.entries(expected).every(([kind, each]) => (messages[kind] ?? 0) >= each * labels)
  }
  return counted.count(print, isDone)
}

/** A few documents are in the queue behind the first ones of their API key. They are counted with the others. */
const oneQueue = ({ messages, bytes, ...work }: Work): Work => ({
  ...work,
  messages: inOneQueue(messages),
  bytes: inOneQueue(bytes),
})

function inOneQueue(counts: Counts): Counts {
  const renamed: Counts = {}
  for (const [kind, count] of Object.entries(counts)) {
    const name = kind.replace(/render([.-])backlog/, 'render$1batch')
    renamed[name] = (renamed[name] ?? 0) + count
  }
  return renamed
}

/** The bytes on NATS of a document, of the kinds that are counted. The HTML of the label is one of its commands. */
function atMostBytes(t: Test, { bytes }: Work, kinds: Counts, most: number): void {
  const all = Object.keys(kinds).reduce((sum, kind) => sum + (bytes[kind] ?? 0), 0)
  const each = Math.round(all / documents)
  t.comment(`${each} bytes on NATS for a document`)
  t.ok(each <= most, `bytes on NATS for a document: ${each}, at most ${most}`)
}

/** The subscriber of the events tells by the ended generation whether a webhook is to be sent. */
const generationEvents = {
  'published events.generation.requested': 1,
  'published events.generation.started': 1,
  'published events.generation.completed': 1,
  'delivered events.generation.completed': 1,
  'ack notifier-completed': 1,
}
/** The content, and the print. A question to the page belongs to documents that need it. */
const commands = { 'Page.setDocumentContent': 1, 'Page.printToPDF': 1 }

function sameOnDisk(t: Test, work: Work): void {
  t.same(perDocument(work.commands, documents), commands, 'commands to the browser')
  t.ok(pullsAnswered(work) < documents, `a pull brings several messages (${pullsAnswered(work)} were answered)`)
  if (uncounted !== undefined) return
  // The content of the PDF, and its name in its folder.
  t.ok(otherFlushes(work, documents) <= 2, `flushes beside those of events: ${otherFlushes(work, documents)}`)
  t.equal(Math.floor((work.calls['node create'] ?? 0) / documents), 1, 'one file is created: the PDF')
}

/** A durable command, with its PubAck, its delivery, and its ack. */
const command = (priority: string) => ({
  [`published commands.render.${priority}`]: 1,
  'stored in COMMANDS': 1,
  [`delivered commands.render.${priority}`]: 1,
  [`ack render-${priority}`]: 1,
})

t.test('a label of a synchronous request', async (t) => {
  const expected = { ...command('interactive'), ...generationEvents, 'stored in EVENTS': 3 }
  await countLabels({}, expected, warmUp)
  const work = await countLabels({}, expected)
  t.same(perDocument(work.messages, documents), expected, 'messages')
  atMostBytes(t, work, expected, 15_000)
  const types = ['GenerationRequested', 'GenerationStarted', 'GenerationCompleted']
  t.same(work.events, Object.fromEntries(types.map((type) => [type, documents])), 'recorded events')
  // One transaction, or two if the document took long enough that others should see its start.
  t.ok(work.appends <= 2 * documents, `transactions for ${documents} documents: ${work.appends}`)
  sameOnDisk(t, work)
})

t.test('a label of an asynchronous request: nobody waits for an answer', async (t) => {
  const expected = { ...command('batch'), ...generationEvents, 'stored in EVENTS': 3 }
  const work = oneQueue(await countLabels({ async: true }, expected))
  t.same(perDocument(work.messages, documents), expected, 'messages')
  atMostBytes(t, work, expected, 14_500)
  sameOnDisk(t, work)
})

t.test('a label with a webhook: two events more, and a claim, so that only one notifier sends it', async (t) => {
  const claim = {
    '$JS.API.DIRECT.GET': 1,
    'answer: nothing there': 1,
    '$KV.DELIVERY_CLAIMS': 1,
    'stored in KV_DELIVERY_CLAIMS': 1,
  }
  const deliveryEvents = { 'published events.delivery.scheduled': 1, 'published events.delivery.succeeded': 1 }
  const expected = {
    ...command('batch'),
    ...generationEvents,
    ...claim,
    ...deliveryEvents,
    'stored in EVENTS': 5,
  }
  const work = oneQueue(await countLabels({ async: true, webhook_url: receiver.url('/hook') }, expected))
  t.same(perDocument(work.messages, documents), expected, 'messages')
  atMostBytes(t, work, expected, 17_500)
  t.equal(receiver.on('/hook').length, documents, 'calls')
  sameOnDisk(t, work)
})
