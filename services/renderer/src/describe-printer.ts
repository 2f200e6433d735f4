import type { BrowserState } from './browser-pool/supervisor.ts'
import type { PrinterState } from './printing/printer.ts'

/** The renderer's state as `/readyz` tells it, for whoever looks. */
export function describePrinter({ slots, browsers }: PrinterState, now = Date.now()) {
  return {
    browsers: {
      static: describeBrowser(browsers.static, now),
      scripted: describeBrowser(browsers.scripted, now),
    },
    slots,
  }
}

function describeBrowser({ running, memoryBytes, draining, failedStarts, replaced }: BrowserState, now: number) {
  return {
    up: running !== undefined,
    ...(running && {
      version: running.version,
      age_s: Math.round((now - running.startedAt) / 1_000),
      documents: running.documents,
      pages_in_use: running.busy,
    }),
    ...(memoryBytes !== undefined && { memory_mb: Math.round(memoryBytes / 2 ** 20) }),
    draining,
    failed_starts: failedStarts,
    replaced,
  }
}
