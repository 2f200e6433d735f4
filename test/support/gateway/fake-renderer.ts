import { createHash } from 'node:crypto'
import { CancelGeneration, type GenerationRequest, RenderPdf } from '@platen/domain/generation/generation.ts'
import type { GenerationOutcome } from '@platen/domain/generation/generation-events.ts'
import { type PreviewResult, previewSubjects, type RenderPreview } from '@platen/domain/generation/preview.ts'
import type { Failure } from '@platen/domain/http/failure.ts'
import { consumers, objectKeys, type RenderQueue, renderQueues } from '@platen/domain/streams/subjects.ts'
import { WrongExpectedRevision } from '@platen/event-store/event-store.ts'
import type { Json } from '@platen/foundation/json/json.ts'
import { derivedUuid } from '@platen/foundation/runtime/ids.ts'
import { loadGeneration } from '@platen/gateway/views/generation-record.ts'
import { consume } from '@platen/messaging/consume/consume.ts'
import { commandParser } from '@platen/messaging/envelopes/command-codec.ts'
import { sendReply } from '@platen/messaging/requests/reply.ts'
import type { BackingServices } from '@platen/service-kit/host/backing-services.ts'
import { decodePreview } from '@platen/service-kit/inputs/input-codec.ts'
import { headers, type Subscription } from 'nats'

export const fakePdf = Buffer.from('%PDF-1.7\n0123456789\n%%EOF\n')

/** What happens to a command. `held` keeps the generation rendering until `release`, and a refusal that is `held` queued. */
type Behaviour = 'complete' | 'held' | 'complete without a reply' | { refusal: Failure; held?: boolean } | Failure

const parseRender = commandParser(RenderPdf)
const parseCancel = commandParser(CancelGeneration)

/** Consumes the renderer's commands and records its events, without a browser. */
export class FakeRenderer implements AsyncDisposable {
  behaviour: Behaviour = 'complete'
  /** The data of every command received. */
  readonly taken: RenderPdf['data'][] = []
  readonly #services: BackingServices
  readonly #stop = new AbortController()
  readonly #running: Promise<void>[]
  readonly #previews: Subscription
  #released = Promise.withResolvers<void>()

  constructor(services: BackingServices) {
    this.#services = services
    this.#running = [...renderQueues.map((queue) => this.#consumeRender(queue)), this.#consumeCancel()]
    this.#previews = this.#servePreviews()
  }

  release(): void {
    this.#released.resolve()
    this.#released = Promise.withResolvers()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    this.#previews.unsubscribe()
    this.#released.resolve()
    await Promise.all(this.#running)
  }

  #consumeRender(queue: RenderQueue): Promise<void> {
    const { bus, store, log } = this.#services
    return consume({
      bus,
      log,
      concurrency: 20,
      stopping: this.#stop.signal,
      consumer: consumers[queue],
      parse: (message) => parseRender(message.data),
      handle: async ({ data }, raw) => {
        const { behaviour } = this
        // Read before the test sees the command and may release it.
        const { promise: released } = this.#released
        this.taken.push(data)
        const id = data.request.generation_id
        if (typeof behaviour === 'object' && 'refusal' in behaviour) {
          if (behaviour.held) await released
          const outcome: GenerationOutcome = { type: 'GenerationFailed', data: behaviour.refusal }
          await this.#append(id, 0, [requested(data.request), outcome])
          return sendReply(bus.nats, raw, { ok: true, value: outcome })
        }
        if ((await loadGeneration(store, id)) === undefined) {
          await this.#append(id, 0, [
            requested(data.request, data.input_key),
            { type: 'GenerationStarted', data: { renderer: 'fake' } },
          ])
        }
        if (behaviour === 'held') await released
        const outcome = await this.#finish(id, behaviour)
        await this.#append(id, 2, [outcome]).catch((err) => {
          if (!(err instanceof WrongExpectedRevision)) throw err
        })
        if (behaviour !== 'complete without a reply') sendReply(bus.nats, raw, { ok: true, value: outcome })
      },
    })
  }

  #servePreviews(): Subscription {
    return this.#services.bus.nats.subscribe(previewSubjects.render, {
      callback: (err, message) => {
        if (err) return
        const engine = { name: 'fake', version: '1', mode: 'static' as const }
        const { comparison, compared_files } = decodePreview(message.data).fields as Partial<RenderPreview>
        const document = { pages: 1, warnings: [] }
        const compared = { pages: [], printed: { from: document, to: document, engine, duration_ms: 7 } }
        const json = compared_files ? [] : comparison && compared
        const bytes = json ? Buffer.from(JSON.stringify(json)) : fakePdf
        const result: PreviewResult = { pages: 1, size: bytes.length, warnings: [], engine, duration_ms: 7 }
        const made = headers()
        made.set('Platen-Preview', Buffer.from(JSON.stringify({ result })).toString('base64'))
        message.respond('', { headers: made })
        message.respond(bytes)
      },
    })
  }

  #consumeCancel(): Promise<void> {
    const { bus, store, log } = this.#services
    return consume({
      bus,
      log,
      concurrency: 4,
      stopping: this.#stop.signal,
      consumer: consumers.cancel,
      parse: (message) => parseCancel(message.data),
      handle: async ({ data: { request } }, raw) => {
        const id = request.generation_id
        const cancelled: GenerationOutcome = { type: 'GenerationCancelled', data: {} }
        const started = await loadGeneration(store, id)
        await this.#append(id, started ? 2 : 0, started ? [cancelled] : [requested(request), cancelled])
        sendReply(bus.nats, raw, { ok: true, value: cancelled })
      },
    })
  }

  async #append(id: string, revision: number, events: { type: string; data: unknown }[]): Promise<void> {
    const [first, ...rest] = events.map((event, index) => ({
      ...event,
      data: event.data as Json,
      id: derivedUuid(id, revision + index, event.type),
    }))
    if (!first) return
    await this.#services.store.append(`generation-${id}`, [first, ...rest], revision === 0 ? 'none' : revision - 1)
  }

  async #finish(id: string, behaviour: Exclude<Behaviour, { refusal: unknown }>): Promise<GenerationOutcome> {
    if (typeof behaviour === 'object') return { type: 'GenerationFailed', data: behaviour }
    const object_key = objectKeys.pdf(id, 'fake')
    await this.#services.objects.put(object_key, fakePdf, 'application/pdf')
    const sha256 = createHash('sha256').update(fakePdf).digest('hex')
    const engine = { name: 'fake', version: '1', mode: 'static' as const }
    const phases = { queue_ms: 1, template_ms: 1, print_ms: 4, store_ms: 1 }
    const file = { object_key, pages: 1, size: fakePdf.length, sha256 }
    const data = { ...file, duration_ms: 7, phases, engine, warnings: [] }
    return { type: 'GenerationCompleted', data }
  }
}

function requested({ generation_id, ...request }: GenerationRequest, input_key?: string) {
  return { type: 'GenerationRequested', data: { ...request, ...(input_key !== undefined && { input_key }) } }
}
