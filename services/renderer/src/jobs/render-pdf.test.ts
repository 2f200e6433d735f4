import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { batchStream } from '@platen/domain/batch/batch-events.ts'
import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import type { RenderPdf } from '@platen/domain/generation/generation.ts'
import type { GenerationOutcome } from '@platen/domain/generation/generation-events.ts'
import { featuresOf } from '@platen/domain/generation/render-features.ts'
import { commandSubjects } from '@platen/domain/streams/subjects.ts'
import { AppendTooLarge, type EventStore, OutcomeUnknown, StoreUnavailable } from '@platen/event-store/event-store.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { type ObjectStore, ObjectStoreUnavailable } from '@platen/object-store/object-store.ts'
import { encodeInput } from '@platen/service-kit/inputs/input-codec.ts'
import { startBackingServices } from '@platen/test-support/start-backing-services.ts'
import { until } from '@platen/test-support/until.ts'
import t, { type Test } from 'tap'
import { HeldFiles } from '../admission/held-files.ts'
import { Slots } from '../admission/slots.ts'
import { PdfToolbox } from '../tools/pdf-toolbox.ts'
import { ActiveJobs } from './active-jobs.ts'
import { GenerationRepository } from './generation-repository.ts'
import { ObjectWaits } from './object-waits.ts'
import { PdfFiles } from './pdf-files.ts'
import { renderHandlers } from './render-handlers.ts'
import { renderPdf } from './render-pdf.ts'

const testServices = await startBackingServices()
const { services, folder } = testServices
t.teardown(() => testServices[Symbol.asyncDispose]())
const tools = new PdfToolbox({ timeoutMs: 1_000, memoryMb: 512, maxPages: 100, maxBytes: 1_000_000 })
t.teardown(() => tools[Symbol.asyncDispose]())

/** `target` with other methods. */
function overriding<Target extends object>(target: Target, methods: Partial<Target>): Target {
  return new Proxy(target, {
    get(_, name) {
      const value = Reflect.get(methods, name) ?? Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

interface Overrides {
  objects?: Partial<ObjectStore>
  append?: EventStore['append']
  /** Called with the number of the print. */
  onPrint?: (count: number, signal: AbortSignal) => Promise<void> | void
  /** How many bytes of files that are not stored keep the next document from beginning. */
  heldBytes?: number
  now?: () => Date
}

/** A renderer whose printer makes a different PDF each time. */
function renderer(
  t: Test,
  name: string,
  { objects = {}, append, onPrint, heldBytes, now = () => new Date() }: Overrides = {},
) {
  const logged: { fields: Record<string, unknown>; message: string }[] = []
  const log = { ...services.log, warn: (fields: never, message: string) => logged.push({ fields, message }) } as never
  const store: EventStore = overriding(services.store, append ? { append } : {})
  const objectStore: ObjectStore = overriding(services.objects, objects)
  const stopping = new AbortController().signal
  const jobs = new ActiveJobs(services.bus)
  const waits = new ObjectWaits()
  const pdfs = new PdfFiles({ objects: objectStore, waits, log, stopping, now })
  t.teardown(() => jobs[Symbol.dispose]())
  const pauses: number[] = []
  const dependencies = {
    pauseMs(earlier: number) {
      pauses.push(earlier)
      return 0
    },
    generations: new GenerationRepository({ store, renderer: name, now }),
    objects: objectStore,
    keyOf: async () => undefined,
    waits,
    held: new HeldFiles(heldBytes),
    pdfs,
    jobs,
    clock: services.bus.clock,
    log,
    stopping,
    engine: { render: async () => ({ texts: {}, warnings: [] }) },
    templateSource: async () => ({ html: '' }),
    partialSources: async () => ({}),
    assets: {
      open: () => ({ find: async () => undefined, read: async () => undefined, pictureReferences: () => new Map() }),
    },
    tools,
    slots: new Slots(2),
    toolSlots: new Slots(1),
    printer: {
      check: async () => {},
      async print({ html, signal }: { html: string; signal: AbortSignal }) {
        renderer.prints += 1
        await onPrint?.(renderer.prints, signal)
        const pdf = Buffer.from(`%PDF-1.7 ${html} ${name} ${renderer.prints}${'.'.repeat(Math.random() * 100)}`)
        return { pdf, pages: 1, warnings: [], engine: { name: 'fake', version: '1', mode: 'static' as const } }
      },
    },
  }
  const renderer = {
    prints: 0,
    pauses,
    logged,
    dependencies,
    async render(command: Envelope<RenderPdf>, redelivered = false): Promise<GenerationOutcome> {
      return renderPdf(dependencies, command, { priority: 'batch', redelivered })
    },
    discarded: () => pdfs[Symbol.asyncDispose](),
  }
  return renderer
}

function command(data: Partial<RenderPdf['data']> = {}): Envelope<RenderPdf> & { id: string } {
  const id = newId('pdf')
  const request = { generation_id: id, owner_id: 'own_default', api_key_id: 'key_test' }
  const input = { html: 'x', options: resolvePdfOptions() }
  const metadata = { id: crypto.randomUUID(), time: new Date().toISOString(), correlation_id: 'req_test' }
  const withInput = data.input_key === undefined ? { request, input } : { request, ...data }
  return { id, type: 'RenderPdf', data: withInput, metadata }
}

const pdfsOf = async (id: string) =>
  (await readdir(join(folder, 'objects/pdfs')).catch(() => [])).filter((name) => name.startsWith(id))

/** Fails unless the recorded object is the only one of its generation and has the recorded size and hash. */
async function assertRecorded(t: Test, id: string, outcome: GenerationOutcome) {
  if (outcome.type !== 'GenerationCompleted') return t.fail(outcome.type)
  const { object_key, size, sha256 } = outcome.data
  const body = await buffer(await services.objects.get(object_key))
  t.equal(body.length, size)
  t.equal(createHash('sha256').update(body).digest('hex'), sha256)
  t.same(await pdfsOf(id), [object_key.slice('pdfs/'.length)])
}

const cancel = async (id: string, deadlineMs = Date.now() + 3_600_000) => {
  const request = { generation_id: id, owner_id: 'own_default', api_key_id: 'key_test' }
  const deadline = new Date(deadlineMs).toISOString()
  const metadata = { id: crypto.randomUUID(), time: new Date().toISOString(), correlation_id: 'req_test', deadline }
  services.bus.nats.publish(
    commandSubjects.cancel(id),
    JSON.stringify({ type: 'CancelGeneration', data: { request }, metadata }),
  )
  await services.bus.nats.flush()
}

t.test(
  'an item of a batch that was cancelled or has ended does not begin, and one that has ended stays as it is',
  async (t) => {
    const { store } = services
    const batch = { id: newId('bat'), index: 1 }
    const append = async (revision: 'none' | number, type: string, data: object) => {
      await store.append(batchStream(batch.id), [{ id: crypto.randomUUID(), type, data: { ...data } }], revision)
    }
    const item = () => {
      const asked = command()
      return { ...asked, data: { ...asked.data, request: { ...asked.data.request, batch } } }
    }
    const one = renderer(t, 'one')
    const opening = { owner_id: 'own_default', api_key_id: 'key_test', total: 9, input: { name: batch.id, parts: 1 } }
    await append('none', 'BatchCreated', opening)
    const first = item()
    const completed = await one.render(first)
    t.equal(completed.type, 'GenerationCompleted')
    // A command that arrives now was sent by a gateway that had been suspended.
    const late = async () => {
      for (const redelivered of [false, true]) {
        t.equal((await one.render(item(), redelivered)).type, 'GenerationCancelled')
      }
      t.same(await one.render(first), completed)
      t.equal(one.prints, 1)
    }
    await append(0, 'BatchCancelRequested', {})
    await late()
    await append(1, 'BatchEnded', { status: 'cancelled', completed: 1, failed: 0, cancelled: 8 })
    await late()
  },
)

t.test('a document of which too much would be recorded fails at once, and leaves no file', async (t) => {
  const asked = command()
  const one = renderer(t, 'one', {
    async append(stream, events, expected) {
      if (events.some(({ type }) => type === 'GenerationCompleted')) throw new AppendTooLarge('too much')
      return services.store.append(stream, events, expected)
    },
  })
  t.match(await one.render(asked), { type: 'GenerationFailed', data: { code: 'RENDER_LIMIT_EXCEEDED' } })
  await one.discarded()
  t.equal(one.prints, 1)
  t.same(await pdfsOf(asked.id), [])
})

t.test('an operation on PDFs does not wait for documents, and they do not wait for it', async (t) => {
  const one = renderer(t, 'one')
  const { slots } = one.dependencies
  const asked = command()
  const { owner_id: owner, api_key_id: key } = asked.data.request
  const { signal } = new AbortController()
  const held = [
    await slots.acquire({ owner, key, priority: 'batch', signal }),
    await slots.acquire({ owner, key, priority: 'batch', signal }),
  ]
  const tool = { operation: { operation: 'flatten' as const }, sources: [{ name: 'upload', content_base64: 'AAAA' }] }
  const { request } = asked.data
  const input = { tool, options: resolvePdfOptions() }
  const outcome = await one.render({ ...asked, data: { request, input, requires: featuresOf(input) } })
  t.match(outcome, { type: 'GenerationFailed', data: { code: /PDF_TOOL_ERROR|PDF_TOO_COMPLEX/ } })
  for (const slot of held) slot[Symbol.dispose]()
})

t.test('two renderers of one generation leave one file, which has the recorded size and hash', async (t) => {
  const asked = command()
  const late = Promise.withResolvers<void>()
  // Suspended after it has printed, until the other renderer has recorded its file.
  const frozen = renderer(t, 'frozen', {
    objects: {
      async put(...args) {
        await late.promise
        return services.objects.put(...args)
      },
    },
  })
  const first = frozen.render(asked)
  const recorded = await renderer(t, 'other').render(asked, true)
  late.resolve()
  t.same(await first, recorded, 'both answer what is recorded')
  await frozen.discarded()
  await assertRecorded(t, asked.id, recorded)

  const together = command()
  const twins = [renderer(t, 'one'), renderer(t, 'two'), renderer(t, 'three')]
  const outcomes = await Promise.all(twins.map((twin) => twin.render(together)))
  await Promise.all(twins.map((twin) => twin.discarded()))
  const [outcome] = outcomes
  for (const other of outcomes) t.same(other, outcome)
  if (outcome) await assertRecorded(t, together.id, outcome)
})

t.test('an append that fails and is committed records the file, and nothing is printed again', async (t) => {
  for (const committed of [true, false]) {
    const asked = command()
    let appends = 0
    const one = renderer(t, 'one', {
      async append(...args) {
        appends += 1
        if (committed || appends > 1) await services.store.append(...args)
        if (appends === 1) throw new OutcomeUnknown('timed out')
        return services.store.append(...args)
      },
    })
    await assertRecorded(t, asked.id, await one.render(asked))
    t.equal(one.prints, 1)
  }
})

t.test('a file that cannot be written is written again, not printed again', async (t) => {
  const asked = command()
  let puts = 0
  const one = renderer(t, 'one', {
    objects: {
      async put(...args) {
        puts += 1
        if (puts < 3) throw new ObjectStoreUnavailable('SlowDown')
        return services.objects.put(...args)
      },
    },
  })
  await assertRecorded(t, asked.id, await one.render(asked))
  t.same([one.prints, puts], [1, 3])
  t.match(one.logged, [{ fields: { generation: asked.id, key: RegExp(asked.id), attempt: 1 } }, {}])
})

for (const away of ['object store', 'event store']) {
  t.test(`while the ${away} is unavailable, few files are held, and then every document is recorded`, async (t) => {
    let isAway = true
    const asked = Array.from({ length: 20 }, () => command())
    const one: ReturnType<typeof renderer> = renderer(t, 'one', {
      // A file fills it.
      heldBytes: 10,
      ...(away === 'object store'
        ? {
            objects: {
              async put(...args) {
                if (isAway) throw new ObjectStoreUnavailable('ECONNREFUSED')
                return services.objects.put(...args)
              },
              async check() {
                if (isAway) throw new ObjectStoreUnavailable('ECONNREFUSED')
              },
            },
          }
        : {
            async append(...args) {
              if (isAway) throw new StoreUnavailable('down')
              return services.store.append(...args)
            },
          }),
    })
    const { slots } = one.dependencies
    const rendered = asked.map((command) => one.render(command))
    await until(() => (one.logged.length > 0 && slots.state().waiting.batch === 0) || undefined, 'no file waits')
    t.ok(one.prints <= slots.most, `${one.prints} files are held`)
    t.match(slots.state().busy, { batch: 0 }, 'a document that waits holds no slot')
    isAway = false
    for (const [n, outcome] of (await Promise.all(rendered)).entries())
      await assertRecorded(t, asked[n]?.id ?? '', outcome)
    t.equal(one.prints, asked.length, 'each is printed once')
    t.equal(one.dependencies.held.bytes, 0)
  })
}

t.test('a cancelled generation leaves no file', async (t) => {
  const asked = command()
  const whilePrinting = renderer(t, 'one', { onPrint: () => cancel(asked.id) })
  t.match(await whilePrinting.render(asked), { type: 'GenerationCancelled' })
  await whilePrinting.discarded()
  t.same(await pdfsOf(asked.id), [])

  const slow = command()
  const written = Promise.withResolvers<void>()
  const whileWriting = renderer(t, 'one', {
    objects: {
      async put(...args) {
        await cancel(slow.id)
        const generations = new GenerationRepository({ store: services.store, renderer: '', now: () => new Date() })
        const job = { id: slow.id, request: { owner_id: 'own_default', api_key_id: 'key_test' }, cause: slow }
        await generations.end(job, { type: 'CancelGeneration' })
        await services.objects.put(...args)
        written.resolve()
      },
    },
  })
  t.match(await whileWriting.render(slow), { type: 'GenerationCancelled' })
  await written.promise
  await whileWriting.discarded()
  t.same(await pdfsOf(slow.id), [])
})

t.test('a generation that was cancelled while it was queued is not printed', async (t) => {
  const asked = command()
  const one = renderer(t, 'one')
  await services.bus.nats.flush()
  await cancel(asked.id)
  t.match(await one.render(asked), { type: 'GenerationCancelled' })
  t.equal(one.prints, 0)
  const refused = command()
  await cancel(refused.id, Date.now() - 1_000)
  t.match(await one.render(refused), { type: 'GenerationCompleted' }, 'the client was told that it is not cancelled')
})

t.test('an unreadable input fails its generation after some deliveries, and holds no slot', async (t) => {
  const get = () => Promise.reject(new ObjectStoreUnavailable('SlowDownRead'))
  const asked = command({ input_key: 'inputs/unreadable' })
  const one = renderer(t, 'one', { objects: { get } })
  const unusable = { name: 'ObjectUnusable', message: /inputs\/unreadable/ }
  await t.rejects(one.render(asked), { name: 'Released', cause: unusable, delayMs: 10_000 })
  t.match(one.logged[0], { fields: { generation: asked.id, key: 'inputs/unreadable' } })
  await t.rejects(one.render(asked, true), { name: 'Released', delayMs: 30_000 })
  const exhausted = await one.render(asked, true).catch((err) => err)
  t.match(exhausted, { name: 'Exhausted', cause: unusable })
  await renderHandlers(one.dependencies, services.bus.nats, 'batch').onExhausted(asked, {} as never, exhausted.cause)
  t.match(await one.dependencies.generations.find(asked.id), {
    status: 'failed',
    failure: { code: 'STORAGE_UNAVAILABLE' },
  })
  t.match(one.dependencies.waits.state(), { waiting: 0, failures: 3 })
})

t.test('an outage of the object store is waited for without a slot, and a cancel ends the wait', async (t) => {
  const get = () => Promise.reject(new ObjectStoreUnavailable('ECONNREFUSED'))
  let away = true
  const check = () => (away ? Promise.reject(new ObjectStoreUnavailable('ECONNREFUSED')) : Promise.resolve())
  const waiting = renderer(t, 'two', { objects: { check, get: (key) => (away ? get() : services.objects.get(key)) } })
  const later = command({ input_key: 'inputs/later' })
  const input = encodeInput({ html: 'x', options: resolvePdfOptions() })
  await services.objects.put('inputs/later', input, 'application/octet-stream')
  const [rendered, cancelled] = [waiting.render(later), command({ input_key: 'inputs/unreadable' })]
  const released = waiting.render(cancelled)
  while (waiting.logged.length < 3) await new Promise((resolve) => setTimeout(resolve, 10))
  t.match(waiting.dependencies.slots.state(), { busy: { batch: 0 } })
  t.match(waiting.dependencies.waits.state(), { waiting: 2 })
  await cancel(cancelled.id)
  t.match(await released, { type: 'GenerationCancelled' })
  away = false
  await assertRecorded(t, later.id, await rendered)
})

t.test('a file that waited long for its event is written again before it is recorded', async (t) => {
  const asked = command()
  let time = Date.now()
  let appends = 0
  const one = renderer(t, 'one', {
    now: () => new Date(time),
    async append(...args) {
      appends += 1
      if (appends > 1) return services.store.append(...args)
      // Meanwhile, the file is removed because no event names it.
      for (const name of await pdfsOf(asked.id)) await services.objects.delete(`pdfs/${name}`)
      time += 20 * 60_000
      throw new OutcomeUnknown('timed out')
    },
  })
  await assertRecorded(t, asked.id, await one.render(asked))
})

t.test('a document that stops its renderer each time fails the fifth time', async (t) => {
  const asked = command()
  const { generations } = renderer(t, 'reader').dependencies
  const attempts = async () => {
    const state = await generations.find(asked.id)
    return state.status === 'rendering' ? state.attempts : 0
  }
  for (const attempt of [1, 2, 3, 4, 5]) {
    const stopped = renderer(t, `stopped ${attempt}`, { onPrint: () => new Promise(() => {}) })
    void stopped.render(asked, attempt > 1)
    while ((await attempts()) < attempt) await delay(10)
    t.strictSame(stopped.pauses, [attempt - 1])
  }
  const last = renderer(t, 'last')
  await t.rejects(last.render(asked, true), { name: 'Exhausted', cause: { message: /stopped while it rendered/ } })
  t.equal(last.prints, 0)
})

t.test('a command that is delivered again while this renderer works on it is not another attempt', async (t) => {
  const asked = command()
  const printing = Promise.withResolvers<void>()
  const one = renderer(t, 'one', { onPrint: () => printing.promise })
  const first = one.render(asked)
  while (one.prints === 0) await delay(10)
  const again = one.render(asked, true)
  while ((await one.dependencies.generations.find(asked.id)).status === 'absent') await delay(10)
  printing.resolve()
  t.strictSame(await again, await first)
  t.equal(one.prints, 1)
  await assertRecorded(t, asked.id, await first)
})

t.test('a start that is recorded although its answer was lost counts as one attempt', async (t) => {
  const asked = command()
  let lost = 0
  const one = renderer(t, 'one', {
    async append(...args) {
      const result = await services.store.append(...args)
      if (lost++ === 0) throw new OutcomeUnknown('timed out')
      return result
    },
  })
  await assertRecorded(t, asked.id, await one.render(asked, true))
  let starts = 0
  for await (const { type } of services.store.readStream(`generation-${asked.id}`)) {
    if (type === 'GenerationStarted') starts += 1
  }
  t.equal(starts, 1)
})

t.test('a document is rendered three times if it fails, and the failure names the reason', async (t) => {
  const asked = command()
  const failing = renderer(t, 'failing', { onPrint: () => Promise.reject(new Error('the printer burns in /tmp/x')) })
  await t.rejects(failing.render(asked), { message: 'the printer burns in /tmp/x' })
  await t.rejects(failing.render(asked, true), { name: 'Error' })
  const exhausted = await failing.render(asked, true).catch((err) => err)
  t.match(exhausted, { name: 'Exhausted', cause: { message: 'the printer burns in /tmp/x' } })
  const handlers = renderHandlers(failing.dependencies, services.bus.nats, 'batch')
  await handlers.onExhausted(asked, {} as never, exhausted.cause)
  t.match(await failing.dependencies.generations.find(asked.id), {
    status: 'failed',
    failure: {
      code: 'RENDER_FAILED',
      message: 'The document could not be rendered in 3 attempts; the last one ended with: the printer burns in …',
    },
  })
})
