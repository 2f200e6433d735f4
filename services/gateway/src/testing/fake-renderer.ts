import { createHash } from 'node:crypto'
import type { Failure } from '@platen/shared/contracts/failure.ts'
import { CancelGeneration, type GenerationOutcome, RenderPdf } from '@platen/shared/contracts/generation.ts'
import type { Json } from '@platen/shared/contracts/json.ts'
import { consumers, objectKeys, priorities } from '@platen/shared/contracts/subjects.ts'
import { WrongExpectedRevision } from '@platen/shared/event-store/event-store.ts'
import type { BackingServices } from '@platen/shared/host/backing-services.ts'
import { commandParser } from '@platen/shared/messaging/command-codec.ts'
import { consume } from '@platen/shared/messaging/consume.ts'
import { sendReply } from '@platen/shared/messaging/reply.ts'
import { openConsumer } from '@platen/shared/messaging/streams.ts'
import { derivedUuid } from '@platen/shared/runtime/ids.ts'
import { loadGeneration } from '../generations/generation-record.ts'

export const fakePdf = Buffer.from('%PDF-1.7\n0123456789\n%%EOF\n')

/** What becomes of a command: `held` stays under way until `release`. */
type Behaviour = 'complete' | 'held' | 'complete without an answer' | Failure

export interface FakeRenderer extends AsyncDisposable {
  behaviour: Behaviour
  /** Every command taken. */
  readonly taken: RenderPdf['data'][]
  release(): void
}

/** Consumes what a renderer consumes and records what it records, without a browser. */
export function startFakeRenderer({ bus, store, objects, log }: BackingServices): FakeRenderer {
  const stop = new AbortController()
  let released = Promise.withResolvers<void>()

  const record = async (id: string, from: number, events: { type: string; data: unknown }[]) => {
    const [first, ...rest] = events.map((event, index) => ({
      ...event,
      data: event.data as Json,
      id: derivedUuid(id, from + index),
    }))
    if (first) await store.append(`generation-${id}`, [first, ...rest], from === 0 ? 'none' : from - 1)
  }
  const requested = ({ generation_id, ...data }: RenderPdf['data']['request']) => ({
    type: 'GenerationRequested',
    data,
  })

  const finish = async (id: string, how: Behaviour): Promise<GenerationOutcome> => {
    if (typeof how === 'object') return { type: 'GenerationFailed', data: how }
    await objects.put(objectKeys.pdf(id), fakePdf, 'application/pdf')
    const sha256 = createHash('sha256').update(fakePdf).digest('hex')
    const engine = { name: 'fake', version: '1' }
    const data = { object_key: objectKeys.pdf(id), pages: 1, size: fakePdf.length, sha256, duration_ms: 7, engine }
    return { type: 'GenerationCompleted', data }
  }

  const renderer: FakeRenderer = {
    behaviour: 'complete',
    taken: [],
    release: () => {
      released.resolve()
      released = Promise.withResolvers()
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      released.resolve()
      await Promise.all(running)
    },
  }

  const parseRender = commandParser(RenderPdf)
  const render = (priority: (typeof priorities)[number]) =>
    consume({
      ...{ bus, concurrency: 20, log, stopping: stop.signal, parse: (message) => parseRender(message.data) },
      open: () => openConsumer(bus, consumers[priority]),
      async handle({ data }, raw) {
        const { behaviour } = renderer
        // Whoever sees that it is taken may release it at once.
        const { promise: release } = released
        renderer.taken.push(data)
        const id = data.request.generation_id
        if ((await loadGeneration(store, id)) === undefined) {
          await record(id, 0, [requested(data.request), { type: 'GenerationStarted', data: { renderer: 'fake' } }])
        }
        if (behaviour === 'held') await release
        const outcome = await finish(id, behaviour)
        await record(id, 2, [outcome]).catch((err) => {
          if (!(err instanceof WrongExpectedRevision)) throw err
        })
        if (behaviour !== 'complete without an answer') sendReply(bus.nats, raw, { ok: true, value: outcome })
      },
    })

  const parseCancel = commandParser(CancelGeneration)
  const cancel = consume({
    ...{ bus, concurrency: 4, log, stopping: stop.signal, parse: (message) => parseCancel(message.data) },
    open: () => openConsumer(bus, consumers.cancel),
    async handle({ data: { request } }, raw) {
      const id = request.generation_id
      const cancelled: GenerationOutcome = { type: 'GenerationCancelled', data: {} }
      const started = await loadGeneration(store, id)
      await record(id, started ? 2 : 0, started ? [cancelled] : [requested(request), cancelled])
      sendReply(bus.nats, raw, { ok: true, value: cancelled })
    },
  })
  const running = [...priorities.map(render), cancel]
  return renderer
}
