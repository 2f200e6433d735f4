import { AssetLibraries } from '@platen/domain/asset/asset-libraries.ts'
import { CancelGeneration } from '@platen/domain/generation/generation.ts'
import { buckets } from '@platen/domain/streams/buckets.ts'
import {
  consumers,
  isInteractive,
  type RenderQueue,
  rendererConsumers,
  streams,
} from '@platen/domain/streams/subjects.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import { consume } from '@platen/messaging/consume/consume.ts'
import { commandParser } from '@platen/messaging/envelopes/command-codec.ts'
import { answering } from '@platen/messaging/requests/reply.ts'
import type { BackingServices } from '@platen/service-kit/host/backing-services.ts'
import { findChromium } from '@platen/service-kit/host/find-chromium.ts'
import type { HealthCheck } from '@platen/service-kit/host/health.ts'
import { announceService } from '@platen/service-kit/host/presence-metrics.ts'
import { type InputProof, requestInputKey } from '@platen/service-kit/inputs/input-keys.ts'
import { startRelay } from '@platen/service-kit/relay/relay.ts'
import { openTemplateEngine, type TemplateEngine } from '@platen/templating/handlebars/engine.ts'
import { HeldFiles } from './admission/held-files.ts'
import { Slots } from './admission/slots.ts'
import type { ProgramEnvironment } from './chromium/browser/environment.ts'
import { openFonts } from './chromium/browser/fonts-folder.ts'
import { ownerOfUse } from './chromium/pool/page-user.ts'
import type { RendererConfig } from './config.ts'
import { ActiveJobs } from './jobs/active-jobs.ts'
import { AssetSource } from './jobs/asset-source.ts'
import { cancelGeneration } from './jobs/cancel-generation.ts'
import { GenerationRepository } from './jobs/generation-repository.ts'
import { ObjectWaits } from './jobs/object-waits.ts'
import { parseRender } from './jobs/parse-render.ts'
import { openPartialSources } from './jobs/partial-sources.ts'
import { PdfFiles } from './jobs/pdf-files.ts'
import { renderHandlers } from './jobs/render-handlers.ts'
import { openTemplateSource } from './jobs/template-source.ts'
import { addRenderMetrics, addStateMetrics } from './metrics.ts'
import { servePreviews } from './previews/serve-previews.ts'
import type { PrintReport } from './print/print-report.ts'
import { Printer } from './print/printer.ts'
import { PdfToolbox } from './tools/pdf-toolbox.ts'

/** Operations on PDFs that read their sources at once: one process does the work, one after the other. */
const slotsOfTools = 1

const parseCancel = commandParser(CancelGeneration)

export type Renderer = AsyncDisposable & { checks: HealthCheck[] }

/**
 * Consumes the render commands of all queues and the cancel commands, and relays the recorded events to EVENTS.
 * `inherited` is for the browsers, and PATH the folders that are searched for one. With `shared` it has no template threads of its own.
 */
export async function startRenderer(
  config: RendererConfig,
  services: BackingServices,
  inherited: ProgramEnvironment,
  shared?: TemplateEngine,
): Promise<Renderer> {
  await using resources = new AsyncDisposableStack()
  const { bus, store, objects, instance } = services
  const log = services.log.child({ service: 'renderer' })
  const metrics = resources.use(addRenderMetrics(services.metrics))
  const { fontsDir } = config
  const fonts = fontsDir === undefined ? undefined : resources.use(await openFonts(fontsDir, inherited))
  const environment = fonts?.environment ?? inherited
  const executablePath = findChromium(config.chromiumPath, inherited.PATH ?? '')
  const recycle = { afterDocuments: config.browserDocuments, aboveBytes: config.browserMemoryMb * 2 ** 20 }
  const onPrint = (report: PrintReport) => metrics.documentDone(report)
  const onProcessorTime = (use: string, seconds: number) => metrics.processorUsed(ownerOfUse(use), seconds)
  // The browsers start in parallel, because nothing else in a start takes as long.
  const opening = Printer.open({ ...config, executablePath, environment, recycle, onPrint, onProcessorTime, log })
  resources.defer(() =>
    opening.then(
      (opened) => opened[Symbol.asyncDispose](),
      () => {},
    ),
  )
  await services.streams.require({
    streams: [streams.events, streams.deadLetters],
    consumers: rendererConsumers,
    buckets: [buckets.leases, buckets.checkpoints],
  })
  const stop = new AbortController()
  const relay = await startRelay({
    ...services,
    service: 'renderer',
    partitions: config.relayPartitions,
    log,
    stopping: stop.signal,
  })
  resources.defer(async () => {
    stop.abort()
    await relay.done
  })
  const engine =
    shared ?? resources.use(openTemplateEngine({ workers: config.slots, ownHelpers: config.ownHelpers, log }))
  const printer = await opening
  const onUse = (owner: string, ms: number) => metrics.slotUsed(owner, ms)
  const slots = new Slots(config.slots, { onUse })
  const toolSlots = new Slots(slotsOfTools, { onUse })
  const state = () => ({ slots: slots.state(), tool_slots: toolSlots.state(), browsers: printer.state() })
  const waits = new ObjectWaits()
  resources.use(addStateMetrics(services.metrics, state, () => waits.state()))
  const jobs = resources.use(new ActiveJobs(bus))
  const templateSource = openTemplateSource(store)
  const now = () => new Date(bus.clock.now())
  const generations = new GenerationRepository({ store, renderer: instance, now })
  const stopping = stop.signal
  const pdfs = resources.use(new PdfFiles({ objects, waits, log, stopping, now }))
  const keyOf = (input: InputProof) => requestInputKey(bus, input)
  const libraries = new AssetLibraries(store)
  const assets = new AssetSource({ store, libraries, objects, waits, log, stopping })
  const { deadlineMs: timeoutMs, documentMemoryMb: memoryMb, limits } = config
  const bounds = { timeoutMs, memoryMb, maxPages: limits.pages, maxBytes: limits.pdfBytes }
  const { signKeysDir } = config
  const tools = resources.use(new PdfToolbox(bounds, { signKeysDir, environment, processes: slots.most }))
  const dependencies = {
    generations,
    objects,
    keyOf,
    waits,
    held: new HeldFiles(),
    pdfs,
    engine,
    templateSource,
    partialSources: openPartialSources(store),
    assets,
    printer,
    tools,
    slots,
    toolSlots,
    jobs,
    clock: bus.clock,
    log,
    stopping,
  }

  // Without a browser each preview would be refused. Another renderer takes it, or the gateway sends it again.
  const previews = printer.untilReady(stopping).then(() => {
    return stopping.aborted ? undefined : servePreviews(bus.nats, dependencies)
  })

  // More than can be printed at once: `Slots` chooses between the owners of the documents that wait here.
  bus.longTexts.receive()
  const consumeRenders = (queue: RenderQueue, concurrency: number) =>
    consume({
      bus,
      consumer: consumers[queue],
      concurrency,
      parse: (message) => parseRender(message.data, bus.longTexts.take(message.id, message.data)),
      traceContext: ({ metadata }) => metadata,
      ...renderHandlers(dependencies, bus.nats, isInteractive(queue) ? 'interactive' : 'batch'),
      ready: (signal) => printer.untilReady(signal),
      log,
      stopping: stop.signal,
    })
  const cancels = consume({
    bus,
    consumer: consumers.cancel,
    concurrency: 4,
    parse: (message) => parseCancel(message.data),
    traceContext: ({ metadata }) => metadata,
    ...answering(bus.nats, (command: Envelope<CancelGeneration>) =>
      cancelGeneration(generations, command, bus.clock.now()),
    ),
    log,
    stopping: stop.signal,
  })
  const running = [
    consumeRenders('interactive', 2 * config.slots + 200),
    consumeRenders('batch', 2 * config.slots + 30),
    consumeRenders('backlog', 2 * config.slots),
    consumeRenders('tools-interactive', 2 * slotsOfTools + 200),
    consumeRenders('tools-batch', 2 * slotsOfTools + 30),
    consumeRenders('tools-backlog', 2 * slotsOfTools),
    cancels,
  ]
  resources.defer(async () => {
    stop.abort()
    await Promise.all([...running, previews.then((serving) => serving?.[Symbol.asyncDispose]())])
  })
  resources.use(announceService(services, 'renderer'))
  return Object.assign(resources.move(), {
    checks: [
      relay.check,
      { name: 'browser', check: () => printer.check(), detail: () => ({ sandbox: printer.sandbox, ...state() }) },
      { name: 'render_objects', check: () => waits.check(), detail: () => waits.state() },
    ],
  })
}
