import { availableParallelism } from 'node:os'
import type { SettingsReader } from '@platen/foundation/settings/config.ts'
import { defaultDocumentMemoryMb } from './browser/limited-command.ts'
import type { EgressLimits, EgressPolicy } from './egress/egress-policy.ts'
import type { PdfLimits } from './pdf/page-count.ts'

export interface RendererConfig {
  /** Default: searched on the search path. */
  chromiumPath: string | undefined
  /** A folder with fonts for all documents. */
  fontsDir: string | undefined
  /** Folders, in the format of PATH. */
  searchPath: string
  /** Documents printed at once. */
  slots: number
  /** For all steps of one document. */
  deadlineMs: number
  /** From where documents may load: public addresses, nowhere, or (for development) anywhere. */
  egress: EgressPolicy
  /** A browser is replaced after this number of documents. */
  browserDocuments: number
  /** A browser is replaced when its processes use more memory than this, in MiB. */
  browserMemoryMb: number
  /** The memory of the process of a document, in MiB. A document above it fails. */
  documentMemoryMb: number
  /** Chromium's sandbox. It is off for root, after a warning. */
  sandbox: boolean
  limits: PdfLimits & EgressLimits
}

/**
 * Idle, a browser with two slots uses 80 to 300 MiB, independent of what it has printed. Printing a table of a hundred
 * pages takes some 500 MiB more. With two slots, two browsers at this limit and Node.js fit into 2 GiB.
 */
const idleMb = 512
const pageMb = 128

export function readRendererConfig(settings: SettingsReader): RendererConfig {
  const slots = settings.integer('RENDER_SLOTS', { default: availableParallelism(), min: 1, max: 256 })
  return {
    slots,
    chromiumPath: settings.optionalText('CHROMIUM_PATH', { pattern: /^\//, hint: 'the absolute path of a Chromium' }),
    fontsDir: settings.optionalText('FONTS_DIR'),
    searchPath: settings.text('PATH', { default: '' }),
    deadlineMs: settings.integer('RENDER_DEADLINE_MS', { default: 30_000, min: 1_000, max: 600_000 }),
    browserDocuments: settings.integer('RENDER_BROWSER_DOCUMENTS', { default: 10_000, min: 10, max: 1_000_000_000 }),
    browserMemoryMb: settings.integer('RENDER_BROWSER_MEMORY_MB', {
      default: idleMb + pageMb * slots,
      min: 256,
      max: 1_048_576,
    }),
    documentMemoryMb: settings.integer('RENDER_DOCUMENT_MEMORY_MB', {
      default: defaultDocumentMemoryMb,
      min: 512,
      max: 1_048_576,
    }),
    egress: settings.choice('RENDER_EGRESS', { default: 'public', allowed: ['public', 'none', 'any'] }),
    sandbox: settings.flag('CHROMIUM_SANDBOX', { default: true }),
    limits: {
      pages: settings.integer('RENDER_MAX_PAGES', { default: 1_000, min: 1, max: 100_000 }),
      pdfBytes: settings.integer('RENDER_MAX_PDF_BYTES', { default: 50 * 2 ** 20, min: 1, max: 2 ** 31 - 1 }),
      resources: settings.integer('RENDER_MAX_RESOURCES', { default: 100, min: 0, max: 10_000 }),
      resourceBytes: settings.integer('RENDER_MAX_RESOURCE_BYTES', { default: 10 * 2 ** 20, min: 1, max: 2 ** 31 - 1 }),
      resourceTimeoutMs: settings.integer('RENDER_RESOURCE_TIMEOUT_MS', { default: 5_000, min: 100, max: 60_000 }),
    },
  }
}
