import { availableParallelism } from 'node:os'
import type { SettingsReader } from '@platen/foundation/settings/config.ts'
import { choice, flag, integer, optionalText, type ValuesOf } from '@platen/foundation/settings/setting.ts'
import { ownHelpers, relayPartitions } from '@platen/service-kit/host/common-settings.ts'
import { defaultDocumentMemoryMb } from './chromium/browser/document-memory.ts'
import type { EgressLimits } from './egress/egress-policy.ts'
import type { PdfLimits } from './pdf/page-count.ts'

const mib = 2 ** 20

export const rendererSettings = {
  /** Documents printed at once. */
  slots: integer('RENDER_SLOTS', {
    default: availableParallelism(),
    min: 1,
    max: 256,
    shownDefault: 'number of cores',
    meaning: 'documents printed at the same time',
    setFirst: true,
  }),
  /** The time limit for all steps of one document. */
  deadlineMs: integer('RENDER_TIMEOUT_MS', {
    default: 30_000,
    min: 1_000,
    max: 600_000,
    meaning: 'how long one document may take, all steps together; above 2 MiB of HTML in proportion to its size',
  }),
  /** From where documents may load: public addresses, nowhere, or (for development) anywhere. */
  egress: choice('RENDER_EGRESS', {
    default: 'public',
    allowed: ['public', 'none', 'any'],
    meaning: 'what documents may fetch: `public` addresses, `none`, or `any` (for development)',
    setFirst: true,
  }),
  maxPages: integer('RENDER_MAX_PAGES', {
    default: 5_000,
    min: 1,
    max: 100_000,
    meaning: 'the pages of a document; larger ones fail',
  }),
  maxPdfBytes: integer('RENDER_MAX_PDF_BYTES', {
    default: 50 * mib,
    min: 1,
    max: 2 ** 31 - 1,
    shownDefault: '50 MiB',
    meaning: 'the size of a PDF; larger ones fail',
  }),
  /** The memory of the process of a document, in MiB. A document above it fails. */
  documentMemoryMb: integer('RENDER_DOCUMENT_MEMORY_MB', {
    default: defaultDocumentMemoryMb,
    min: 512,
    max: 1_048_576,
    meaning: 'memory of the process of one document, or of one that reads PDFs; what needs more fails',
  }),
  /** Whether templates may have helpers of their own. */
  ownHelpers,
  relayPartitions,
  /** A folder with fonts for all documents. */
  fontsDir: optionalText('FONTS_DIR', {
    meaning: 'a folder with [fonts](../guides/fonts.md#fonts-for-all-documents) for all documents',
  }),
  /** A folder with the keys of `sign`. */
  signKeysDir: optionalText('PDF_SIGN_KEYS', {
    meaning: 'a folder with [keys that sign PDFs](../operate/signing-keys.md)',
  }),
  /** Default: searched on the search path. */
  chromiumPath: optionalText('CHROMIUM_PATH', {
    form: {
      pattern: /^\//,
      hint: 'the absolute path of a Chromium',
      right: ['/usr/bin/chromium'],
      wrong: ['chromium', './chromium', '"/usr/bin/chromium"'],
    },
    shownDefault: 'found in `PATH`',
    meaning: '`chromium-headless-shell`, `chromium`, …',
    setFirst: true,
  }),
  /** Whether scripts may draw with WebGL, by Chromium's software renderer. */
  webgl: flag('RENDER_WEBGL', {
    default: false,
    meaning:
      'whether scripts may draw with WebGL. Chromium calls its software renderer unsafe for documents of strangers',
  }),
  /** Chromium's sandbox. It is off for root, after a warning. */
  sandbox: flag('CHROMIUM_SANDBOX', {
    default: true,
    meaning: "Chromium's sandbox. It is off for root, with a warning",
  }),
}

/** Values that no operator sets. */
export interface RendererTuning {
  /** A browser is replaced after this number of documents. */
  browserDocuments: number
  /** A browser is replaced when its processes use more memory than this, in MiB. */
  browserMemoryMb: number
}

export interface RendererConfig
  extends Omit<ValuesOf<typeof rendererSettings>, 'maxPages' | 'maxPdfBytes'>,
    RendererTuning {
  limits: PdfLimits & EgressLimits
}

/** Far above what a document for print has: a document must not use the network or the memory of a renderer without end. */
const egressLimits: EgressLimits = { resources: 100, resourceBytes: 10 * mib, resourceTimeoutMs: 5_000 }

/** A precaution: memory is flat over 5,000 documents (docs/understand/benchmarks.md). Below three documents a second the hour comes first. */
const browserDocuments = 10_000

/**
 * An idle browser with two slots uses 80 to 300 MiB, whatever it has printed. A table of a hundred pages takes some 500
 * MiB more. With two slots, two browsers at this limit and Node.js fit into 2 GiB.
 */
const idleMb = 512
const pageMb = 128

export function readRendererConfig(settings: SettingsReader): RendererConfig {
  const { maxPages: pages, maxPdfBytes: pdfBytes, ...given } = settings.read(rendererSettings)
  const browserMemoryMb = idleMb + pageMb * given.slots
  return { ...given, browserDocuments, browserMemoryMb, limits: { pages, pdfBytes, ...egressLimits } }
}
