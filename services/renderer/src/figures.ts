import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { RenderMode } from './browser-pool/browser-page.ts'
import type { BrowserState } from './browser-pool/supervisor.ts'
import type { PrintReport } from './printing/print-report.ts'
import type { PrinterState } from './printing/printer.ts'

const bucketsS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export interface RenderMetrics extends Disposable {
  documentDone(report: PrintReport): void
}

/** What `/metrics` shows of the renderer: how documents went, and what its browsers and slots do at that moment. */
export function addRenderMetrics(registry: Registry, state: () => PrinterState): RenderMetrics {
  const names: string[] = []
  const named = <Name extends string>(name: Name, help: string) => {
    names.push(name)
    return { name, help, registers: [registry] }
  }
  const durations = new Histogram({
    ...named('platen_render_duration_seconds', 'Duration of rendering a document, from the moment it has a slot'),
    labelNames: ['mode', 'outcome'],
    buckets: bucketsS,
  })
  const ofBrowsers = (name: string, help: string, value: (browser: BrowserState) => number | undefined) =>
    new Gauge({
      ...named(name, help),
      labelNames: ['mode'],
      collect() {
        this.reset()
        for (const [mode, browser] of browsersOf(state())) {
          const now = value(browser)
          if (now !== undefined) this.set({ mode }, now)
        }
      },
    })
  ofBrowsers('platen_browser_up', 'Whether the browser of the mode runs', ({ running }) => (running ? 1 : 0))
  ofBrowsers('platen_browser_documents', 'Documents since the browser started', ({ running }) => running?.documents)
  ofBrowsers('platen_browser_pages_in_use', 'Pages that documents are printed on', ({ running }) => running?.busy)
  ofBrowsers('platen_browser_memory_bytes', 'Held by the processes of the browser', ({ memoryBytes }) => memoryBytes)
  ofBrowsers('platen_browsers_draining', 'Replaced browsers that still print', ({ draining }) => draining)
  new Counter({
    ...named('platen_browser_replacements_total', 'Browsers that were replaced, by what for'),
    labelNames: ['mode', 'reason'],
    collect() {
      this.reset()
      for (const [mode, { replaced }] of browsersOf(state())) {
        for (const [reason, times] of Object.entries(replaced)) this.inc({ mode, reason }, times)
      }
    },
  })
  new Counter({
    ...named('platen_browser_failed_starts_total', 'Browsers that did not start'),
    labelNames: ['mode'],
    collect() {
      this.reset()
      for (const [mode, { failedStarts }] of browsersOf(state())) this.inc({ mode }, failedStarts)
    },
  })
  new Gauge({
    ...named('platen_render_slots', 'Documents that hold a slot or wait for one, and slots that one would find'),
    labelNames: ['priority', 'state'],
    collect() {
      const { busy, free, waiting } = state().slots
      for (const priority of ['interactive', 'batch'] as const) {
        this.set({ priority, state: 'busy' }, busy[priority])
        this.set({ priority, state: 'free' }, free[priority])
        this.set({ priority, state: 'waiting' }, waiting[priority])
      }
    },
  })
  return {
    documentDone: ({ mode, outcome, durationMs }) => durations.observe({ mode, outcome }, durationMs / 1_000),
    [Symbol.dispose]() {
      for (const name of names) registry.removeSingleMetric(name)
    },
  }
}

const browsersOf = ({ browsers }: PrinterState) => Object.entries(browsers) as [RenderMode, BrowserState][]
