import { type PdfOptions, resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import { Slots } from '@platen/renderer/admission/slots.ts'
import { programEnvironment } from '@platen/renderer/chromium/browser/environment.ts'
import type { Printed, PrintJob } from '@platen/renderer/print/print-job.ts'
import { Printer, type PrinterOptions } from '@platen/renderer/print/printer.ts'
import { findChromium } from '@platen/service-kit/host/find-chromium.ts'

export interface TestPrinter extends Printer {
  printHtml(html: string, options?: PdfOptions, job?: Partial<PrintJob>): Promise<Printed>
}

/** A printer with Chromium and a deadline that no document reaches on a busy machine, unless it has `timeout_ms`. */
export async function openTestPrinter(options: Partial<PrinterOptions> = {}): Promise<TestPrinter> {
  const printer = await Printer.open({
    executablePath: findChromium(process.env.CHROMIUM_PATH, process.env.PATH ?? ''),
    environment: programEnvironment(process.env),
    slots: 2,
    deadlineMs: 120_000,
    egress: 'public',
    sandbox: false,
    limits: { pages: 100, pdfBytes: 5e6, resources: 100, resourceBytes: 1e6, resourceTimeoutMs: 50_000 },
    log: createLogger('test', 'silent'),
    ...options,
  })
  const slots = new Slots(options.slots ?? 2)
  return Object.assign(printer, {
    async printHtml(html: string, options?: PdfOptions, job: Partial<PrintJob> = {}) {
      const { signal = new AbortController().signal, owner = 'key_test' } = job
      using _slot = await slots.acquire({ owner, key: owner, priority: 'interactive', signal })
      return await printer.print({
        html,
        options: resolvePdfOptions(options),
        ...job,
        owner,
        signal,
      })
    },
  })
}
