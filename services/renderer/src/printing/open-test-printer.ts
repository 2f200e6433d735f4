import { type PdfOptions, resolvePdfOptions } from '@platen/shared/contracts/pdf-options.ts'
import { createLogger } from '@platen/shared/runtime/logger.ts'
import { findChromium } from '../browser/find-chromium.ts'
import type { Printed, PrintJob } from './print-job.ts'
import { Printer, type PrinterOptions } from './printer.ts'

export interface TestPrinter extends Printer {
  printHtml(html: string, options?: PdfOptions, job?: Partial<PrintJob>): Promise<Printed>
}

/** For tests: a printer on a real Chromium, with little patience. */
export async function openTestPrinter(options: Partial<PrinterOptions> = {}): Promise<TestPrinter> {
  const printer = await Printer.open({
    executablePath: findChromium(process.env.CHROMIUM_PATH, process.env.PATH ?? ''),
    slots: 2,
    deadlineMs: 20_000,
    egress: 'public',
    sandbox: false,
    limits: { pages: 100, pdfBytes: 5e6, resources: 100, resourceBytes: 1e6, resourceTimeoutMs: 2_000 },
    log: createLogger('test', 'silent'),
    ...options,
  })
  return Object.assign(printer, {
    printHtml(html: string, options?: PdfOptions, job?: Partial<PrintJob>) {
      const signal = new AbortController().signal
      return printer.print({
        html,
        options: resolvePdfOptions(options),
        owner: 'key_test',
        interactive: true,
        signal,
        ...job,
      })
    },
  })
}
