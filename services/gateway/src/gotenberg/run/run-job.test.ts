import { EventEmitter } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import t from 'tap'
import { GenerationQueue } from '../../generations/generation-queue.ts'
import { QueuedByKey } from '../../generations/queued-by-key.ts'
import { ViewUpdates } from '../../views/view-updates.ts'
import { type Running, runJob } from './run-job.ts'

/** What one request needs to store its job: NATS stores each message. */
function given() {
  let held = 0
  const limiter = {
    async take() {
      held++
      return { [Symbol.dispose]: () => void held-- }
    },
  }
  const bus = {
    clock: Date,
    whenConnected: async () => {},
    untilDisconnected: (work: unknown) => work,
    acks: { publish: async () => ({ seq: 1 }) },
    writes: { stored() {} },
    longTexts: { add() {} },
  }
  const config = { webhookAllowPrivate: true, host: '127.0.0.1', syncTimeoutMs: 1_000 }
  const queuePlaces = { take: (_: string, __: unknown, send: () => unknown) => send() }
  const looked: number[] = []
  const record = { state: { status: 'failed', request: {}, failure: {} } }
  const generations = {
    find() {
      looked.push(held)
      return record
    },
  }
  const deliveries = { list: async () => ({ items: [{ state: { status: 'succeeded' }, attempts: [] }] }) }
  const places = { queuePlaces, queuedByKey: new QueuedByKey() }
  const generationQueue = new GenerationQueue({ bus, config, ...places } as never)
  const answering = { limiter, bus, config, generations, generationQueue, updates: new ViewUpdates() }
  return { looked, running: { answering, traceHeader: 'trace', webhooks: 'sync', deliveries } as unknown as Running }
}

t.test('a request that waits for its webhooks holds no slot of its API key', async (t) => {
  const { looked, running } = given()
  const key = { id: 'key_1', ownerId: 'own_default', places: { dispose() {} } }
  const headers = { 'gotenberg-webhook-url': 'http://a/file', 'gotenberg-webhook-error-url': 'http://a/error' }
  const request = { id: 'req_1', headers, getDecorator: () => key } as unknown as FastifyRequest
  const reply: Record<string, unknown> = { raw: new EventEmitter(), getHeader: () => 'mine' }
  for (const name of ['header', 'code', 'send']) reply[name] = () => reply
  const margin = { top: 0, bottom: 0, left: 0, right: 0 }
  const page = { format: 'A4', landscape: false, margin, print_background: true, scale: 1, javascript: 'off' }
  const job = { input: { html: '<p>x', options: page }, extension: 'pdf', quoted: {} }
  await runJob(running, job as never, request, reply as unknown as FastifyReply)
  t.strictSame(looked, [0], 'it has looked whether the generation has ended, once, without a slot')
})
