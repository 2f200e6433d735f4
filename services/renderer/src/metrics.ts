import { priorities } from '@platen/domain/streams/subjects.ts'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { SlotsState } from './admission/slots.ts'
import type { RenderMode } from './chromium/pool/browser-page.ts'
import type { BrowserState } from './chromium/pool/supervisor.ts'
import type { ObjectWaitsState } from './jobs/object-waits.ts'
import type { PrintReport } from './print/print-report.ts'

const bucketsS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** The state in the form of `/readyz`. */
export interface RendererState {
  slots: SlotsState
  /** The slots of operations on PDFs. */
  tool_slots: SlotsState
  browsers: Record<RenderMode, BrowserState>
}

export interface RenderMetrics extends Disposable {
  documentDone(report: PrintReport): void
  slotUsed(owner: string, ms: number): void
  processorUsed(owner: string, seconds: number): void
}

/** Names metrics of a registry, which are removed from it on disposal. */
function namesIn(registry: Registry) {
  const names: string[] = []
  return {
    named: <Name extends string>(name: Name, help: string) => {
      names.push(name)
      return { name, help, registers: [registry] }
    },
    [Symbol.dispose]() {
      for (const name of names) registry.removeSingleMetric(name)
    },
  }
}

/** Registers what is counted while documents are rendered. */
export function addRenderMetrics(registry: Registry): RenderMetrics {
  const { named, ...registered } = namesIn(registry)
  const durations = new Histogram({
    ...named('platen_render_duration_seconds', 'Duration of rendering a document, from the moment it has a slot'),
    labelNames: ['mode', 'outcome'],
    buckets: bucketsS,
  })
  const slotTimes = new Counter({
    ...named('platen_render_slot_seconds_total', 'Time that documents of an owner have held render slots'),
    labelNames: ['owner'],
  })
  const processorTimes = new Counter({
    ...named('platen_render_cpu_seconds_total', 'Processor time of the pages that have shown documents of an owner'),
    labelNames: ['owner'],
  })
  const labels = new BoundedLabels()
  return {
    documentDone: ({ mode, outcome, durationMs }) => durations.observe({ mode, outcome }, durationMs / 1_000),
    slotUsed: (owner, ms) => slotTimes.inc({ owner: labels.of(owner) }, ms / 1_000),
    processorUsed: (owner, seconds) => processorTimes.inc({ owner: labels.of(owner) }, seconds),
    ...registered,
  }
}

/** Registers what is read from the state of browsers and slots at each request. */
export function addStateMetrics(
  registry: Registry,
  state: () => RendererState,
  objectWaits: () => ObjectWaitsState,
): Disposable {
  const { named, ...registered } = namesIn(registry)
  const browsers = () => Object.entries(state().browsers) as [RenderMode, BrowserState][]
  const browserGauge = (name: string, help: string, value: (browser: BrowserState) => number | undefined) =>
    new Gauge({
      ...named(name, help),
      labelNames: ['mode'],
      collect() {
        this.reset()
        for (const [mode, browser] of browsers()) {
          const now = value(browser)
          if (now !== undefined) this.set({ mode }, now)
        }
      },
    })
  browserGauge(
    'platen_browser_up',
    'Whether the browser of the mode runs, or is started by the next document that needs it',
    ({ up }) => (up ? 1 : 0),
  )
  browserGauge('platen_browser_documents', 'Documents since the browser started', ({ documents }) => documents)
  browserGauge('platen_browser_pages_in_use', 'Pages that are printing a document', (browser) => browser.pages_in_use)
  browserGauge('platen_browser_memory_bytes', 'Memory of all processes of the browser', ({ memory_mb }) =>
    memory_mb === undefined ? undefined : memory_mb * 2 ** 20,
  )
  browserGauge('platen_browsers_draining', 'Replaced browsers that are still printing', ({ draining }) => draining)
  new Counter({
    ...named('platen_browser_replacements_total', 'Browsers replaced, by reason'),
    labelNames: ['mode', 'reason'],
    collect() {
      this.reset()
      for (const [mode, { replaced }] of browsers()) {
        for (const [reason, times] of Object.entries(replaced)) this.inc({ mode, reason }, times)
      }
    },
  })
  new Counter({
    ...named('platen_browser_failed_starts_total', 'Browsers that did not start'),
    labelNames: ['mode'],
    collect() {
      this.reset()
      for (const [mode, { failed_starts }] of browsers()) this.inc({ mode }, failed_starts)
    },
  })
  const slotGauge = (name: string, help: string, slots: () => SlotsState) =>
    new Gauge({
      ...named(name, help),
      labelNames: ['priority', 'state'],
      collect() {
        const { busy, free, waiting } = slots()
        for (const priority of priorities) {
          this.set({ priority, state: 'busy' }, busy[priority])
          this.set({ priority, state: 'free' }, free[priority])
          this.set({ priority, state: 'waiting' }, waiting[priority])
        }
      },
    })
  slotGauge(
    'platen_render_slots',
    'Documents that hold a slot or wait for one, and slots free for the priority',
    () => state().slots,
  )
  slotGauge(
    'platen_tool_slots',
    'The same of operations on PDFs, which have slots of their own',
    () => state().tool_slots,
  )
  new Gauge({
    ...named('platen_render_object_waits', 'Generations that wait because an object cannot be read or written'),
    collect() {
      this.set(objectWaits().waiting)
    },
  })
  new Counter({
    ...named(
      'platen_render_object_failures_total',
      'Attempts given up because one object could not be read or written',
    ),
    collect() {
      this.reset()
      this.inc(objectWaits().failures)
    },
  })
  return registered
}

/** A time series costs memory here and in Prometheus: owners after this number share one. */
const maxLabels = 500

/** The label of an owner: its id, or `other` if there are too many. */
export class BoundedLabels {
  readonly #known = new Set<string>()
  readonly #max: number

  constructor(max = maxLabels) {
    this.#max = max
  }

  of(owner: string): string {
    if (this.#known.has(owner)) return owner
    if (this.#known.size >= this.#max) return 'other'
    this.#known.add(owner)
    return owner
  }
}
