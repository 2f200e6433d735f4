import { Readable } from 'node:stream'
import { itemGenerationId } from '@platen/domain/batch/batch.ts'
import { defaultOwnerId } from '@platen/domain/ids/owner-id.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import { ObjectNotFound } from '@platen/object-store/object-store.ts'
import t from 'tap'
import { GenerationQueue } from '../generations/generation-queue.ts'
import { QueuedByKey } from '../generations/queued-by-key.ts'
import { BatchRun, type RunBatchOptions } from './run-batch.ts'
import { Window } from './window.ts'

const total = 3_000
const maxQueued = 10_000

/** A run of a batch whose items nobody renders. `publish` stores a command; `queued`: the places of the queue that are taken. */
function given({ publish = async () => ({ seq: 1 }), queued = 0, isMissing = false } = {}) {
  const id = newId('bat')
  const batch = { owner_id: defaultOwnerId, api_key_id: 'key_1', total, input: { name: id, parts: 1 } }
  let status = 'running'
  let sent = 0
  const cancelled: string[] = []
  const lines = Array.from(
    { length: total },
    (_, at) => `{"index":${at + 1},"request":{},"input":{"html":"x","options":{}}}`,
  )
  const bus = {
    clock: Date,
    whenConnected: async () => {},
    untilDisconnected: (work: unknown) => work,
    acks: {
      publish() {
        sent++
        return publish()
      },
    },
    writes: { stored() {} },
    longTexts: { add() {} },
  }
  const queuePlaces = {
    free: async () => maxQueued - queued,
    take: (_: string, __: unknown, send: () => unknown) => send(),
  }
  const options = {
    generationQueue: new GenerationQueue({ bus, queuePlaces, queuedByKey: new QueuedByKey() } as never),
    bus,
    maxQueued,
    log: createLogger('test', 'silent'),
    untilCaughtUp: async () => {},
    store: {
      async *readStream() {
        yield { id: 'e', type: 'BatchCreated', data: batch, revision: 0, metadata: {}, recordedAt: new Date(0) }
      },
    },
    objects: {
      async get(key: string) {
        if (isMissing) throw new ObjectNotFound(key)
        return Readable.from([Buffer.from(lines.join('\n'))])
      },
    },
    batches: {
      state: () => ({ status, batch }),
      begun: () => ({ rendering: 0, completed: 0, failed: 0, cancelled: 0 }),
    },
    generations: { find: () => undefined },
    queuePlaces,
    queue: {
      ids: async () => [itemGenerationId(id, 1)],
      async find(found: string) {
        cancelled.push(found)
      },
    },
  } as unknown as RunBatchOptions
  const stopping = new AbortController()
  const run = new BatchRun(options, id, defaultOwnerId, new Window(() => 1, maxQueued), stopping.signal)
  const cancel = () => {
    status = 'cancelling'
    run.wake()
  }
  return { run, stopping, cancel, cancelled, sent: () => sent }
}

/** What a run does in a few turns of the event loop, while nothing else happens. */
const atRest = () => new Promise((done) => setTimeout(done, 500))

t.test('after a command is refused, no more are sent', async (t) => {
  const { run, sent } = given({
    async publish() {
      throw new Error('Permissions Violation')
    },
  })
  await t.rejects(run.run(), { message: 'Permissions Violation' })
  t.ok(sent() <= 32, `${sent()} were sent`)
})

t.test('the queue of another owner does not stop a batch, which leaves a part of what is free', async (t) => {
  for (const [queued, least, most] of [
    [0, 16, 32],
    [maxQueued / 2, 16, 32],
    [maxQueued - 4, 4, 4],
    [maxQueued, 0, 0],
  ] as const) {
    const { run, stopping, sent } = given({ queued })
    const running = run.run()
    await atRest()
    t.ok(sent() >= least && sent() <= most, `${sent()} with ${queued} in the queue`)
    stopping.abort()
    await running
  }
})

t.test('a cancellation is seen in each wait', async (t) => {
  for (const queued of [0, maxQueued]) {
    const { run, stopping, cancel, cancelled } = given({ queued })
    const running = run.run()
    await atRest()
    cancel()
    await atRest()
    t.equal(cancelled.length, 1, 'what is in the queue is looked for')
    stopping.abort()
    await running
  }
})

t.test('missing items pause a batch, and it can be cancelled', async (t) => {
  const { run, cancel, stopping, cancelled } = given({ isMissing: true })
  await t.rejects(run.run(), { name: 'ObjectNotFound' })
  const paused = run.pause(600_000)
  cancel()
  await paused
  const running = run.run()
  await atRest()
  t.equal(cancelled.length, 1)
  stopping.abort()
  await running
})
