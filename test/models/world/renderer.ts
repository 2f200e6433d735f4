import { sleep } from '@platen/foundation/runtime/sleep.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { HeldFiles } from '../../../services/renderer/src/admission/held-files.ts'
import { ActiveJobs } from '../../../services/renderer/src/jobs/active-jobs.ts'
import { GenerationRepository } from '../../../services/renderer/src/jobs/generation-repository.ts'
import { PdfFiles } from '../../../services/renderer/src/jobs/pdf-files.ts'
import type { RenderDependencies } from '../../../services/renderer/src/jobs/render-pdf.ts'
import type { MemoryStore } from './memory-store.ts'
import { quietLog } from './quiet-log.ts'
import type { World } from './world.ts'

interface Renderer {
  store: MemoryStore
  bus: Bus
  isBusy?: () => boolean
  /** Takes one step. Throws the failure of the document. */
  print?: () => void
  /** How long it takes. Default: 0. */
  printMs?: number
}

/** A renderer whose printer takes one step. */
export function rendererOf(
  world: World,
  { store, bus, isBusy = () => false, print = () => {}, printMs = 0 }: Renderer,
): RenderDependencies {
  const now = () => new Date()
  const objects = { put: async () => {}, delete: async () => {} }
  const access = { objects, log: quietLog, now, waits: {}, stopping: new AbortController().signal }
  const printed = {
    pdf: Buffer.from('%PDF'),
    pages: 1,
    warnings: [],
    engine: { name: 'c', version: '1', mode: 'static' },
  }
  const printOne = async () => {
    if (printMs > 0) await sleep(printMs)
    return world.step('print', () => {
      print()
      return printed
    })
  }
  return {
    ...access,
    generations: new GenerationRepository({ store, renderer: 'renderer', now }),
    pdfs: new PdfFiles(access as never),
    jobs: new ActiveJobs(bus),
    slots: { acquire: async () => ({ [Symbol.dispose]() {} }), expectedWaitMs: () => (isBusy() ? 3_600_000 : 0) },
    toolSlots: { acquire: async () => ({ [Symbol.dispose]() {} }), expectedWaitMs: () => 0 },
    held: new HeldFiles(),
    clock: bus.clock,
    printer: { check: async () => {}, print: printOne },
    assets: { open: () => ({}) },
    engine: {},
    templateSource: {},
    partialSources: {},
    pauseMs: () => 0,
  } as unknown as RenderDependencies
}
