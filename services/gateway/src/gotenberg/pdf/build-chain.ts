import type { OutputSteps, Stamp, StampPosition } from '@platen/domain/document/output-options.ts'
import { selectedPages } from '@platen/domain/document/page-ranges.ts'
import type { EditOperation } from '@platen/domain/document/pdf-operation.ts'
import type { ChainTask, PdfChain } from '@platen/domain/generation/pdf-chain.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { refuse } from '../answers/refused.ts'
import { informationOf } from './information.ts'
import type { GivenStamp, PdfWork } from './pdf-fields.ts'

const wrongSplit =
  "The requested split mode is not supported, or no PDF engine could process it. Valid modes: 'intervals', 'pages'."
const wrongFormat =
  'The requested PDF format is not supported, or no PDF engine could apply it. Valid formats include PDF/A-1b, PDF/A-2b, PDF/A-3b, and PDF/UA.'

/** The tasks that the work on PDFs of these names takes, in the order in which clients of Gotenberg know it to be done. */
export function buildChain(work: PdfWork, names: string[], before: readonly ChainTask[] = []): PdfChain {
  const files: Record<string, Buffer> = {}
  const keep = (bytes: Buffer) => {
    const name = `file-${Object.keys(files).length + 1}`
    files[name] = bytes
    return name
  }
  const { watermarks = [], stamps = [], rotate, flatten, optimize, formats, metadata, embeds = [], encrypt } = work
  const drawn = [
    ...watermarks.map((stamp) => stampOf(stamp, 'under', keep)),
    ...stamps.map((stamp) => stampOf(stamp, 'over', keep)),
  ]
  const edit: Omit<EditOperation, 'operation'> = {
    ...(metadata && { information: informationOf(metadata) }),
    ...defined({ bookmarks: work.bookmarks }),
  }
  const attachments = embeds.map(({ name, bytes }) => ({
    name,
    media_type: typeOf(name, work.embedsMetadata?.[name]?.mimeType),
    ...relationship(work.embedsMetadata?.[name]?.relationship),
    asset: keep(bytes),
  }))
  const tasks = [
    ...before,
    ...splitTasks(work.split),
    ...(drawn.length > 0 ? [stepsTask({ stamps: drawn })] : []),
    ...(rotate
      ? [{ operation: { operation: 'rotate' as const, degrees: rotate.degrees, ...pagesOf(rotate.pages) } }]
      : []),
    // Form fields first, as their tags then describe what is drawn.
    ...(flatten ? [{ operation: { operation: 'flatten' as const } }, flattened] : []),
    ...(optimize ? [{ operation: { operation: 'edit' as const, image_quality: optimize.quality } }] : []),
    ...(Object.keys(edit).length > 0 ? [{ operation: { operation: 'edit' as const, ...edit } }] : []),
    ...(attachments.length > 0 ? [stepsTask({ attachments })] : []),
    ...(formats ? [stepsTask({ conformance: conformanceOf(formats) })] : []),
    ...(work.facturX ? [stepsTask({ e_invoice: invoiceOf(work.facturX) })] : []),
    ...(encrypt ? [stepsTask({ protect: protection(encrypt) })] : []),
    ...(work.describe ? [{ operation: { operation: 'describe' as const, what: work.describe } }] : []),
  ]
  return { tasks, names, ...(Object.keys(files).length > 0 && { files }) }
}

const flattened: ChainTask = { operation: { operation: 'edit', flatten_annotations: true } }
const stepsTask = (steps: OutputSteps): ChainTask => ({ operation: { operation: 'steps' }, steps })

const levels: Record<string, '1b' | '2b' | '3b'> = { 'PDF/A-1b': '1b', 'PDF/A-2b': '2b', 'PDF/A-3b': '3b' }

function conformanceOf({ pdfA, pdfUa }: NonNullable<PdfWork['formats']>) {
  const level = Object.hasOwn(levels, pdfA) ? levels[pdfA] : undefined
  if (pdfA !== '' && level === undefined) refuse(400, wrongFormat)
  return { ...(level && { pdf_a: level }), ...(pdfUa && { pdf_ua: '1' as const }) }
}

const profiles: Record<string, 'minimum' | 'basic-wl' | 'basic' | 'en16931' | 'extended' | 'xrechnung'> = {
  MINIMUM: 'minimum',
  'BASIC WL': 'basic-wl',
  BASIC: 'basic',
  'EN 16931': 'en16931',
  EXTENDED: 'extended',
  XRECHNUNG: 'xrechnung',
}

function invoiceOf({ level, xml }: NonNullable<PdfWork['facturX']>) {
  const profile = profiles[level] ?? refuse(400, `Invalid form data: unsupported conformance level '${level}'`)
  return { standard: 'factur-x' as const, profile, xml: xml.bytes.toString() }
}

function splitTasks(split: PdfWork['split']): ChainTask[] {
  if (!split) return []
  const { mode, span, unify } = split
  if (mode === 'intervals') return [{ operation: { operation: 'split', every: Number(span) } }]
  const chosen: ChainTask = { operation: { operation: 'split', ranges: [checkedRanges(span)] }, keeps_name: true }
  return unify ? [chosen] : [chosen, { operation: { operation: 'split', every: 1 } }]
}

/** qpdf and pdftk have a word for the last page. */
const lastPage = /-(z|end)\b/gi

function checkedRanges(span: string): string {
  const ranges = span.replace(lastPage, '-')
  try {
    selectedPages(ranges, 1_000_000)
    return ranges
  } catch {
    return refuse(400, wrongSplit)
  }
}

const pagesOf = (pages: string) => (pages === '' ? {} : { pages })

const positions: Record<string, StampPosition> = {
  c: 'center',
  tl: 'top-left',
  tc: 'top-center',
  tr: 'top-right',
  l: 'middle-left',
  r: 'middle-right',
  bl: 'bottom-left',
  bc: 'bottom-center',
  br: 'bottom-right',
}

/** How the names of an option of pdfcpu begin: they may be shortened. */
const optionNames = [
  'position',
  'rotation',
  'diagonal',
  'opacity',
  'points',
  'scalefactor',
  'fillcolor',
  'color',
  'offset',
] as const
type OptionName = (typeof optionNames)[number]

/** The width of A4 in mm, which a relative size refers to. */
const pageWidthMm = 210
const mmPerPoint = 25.4 / 72

/**
 * The stamp of `position`, `rotation`, `opacity`, `points`, `scale`, `fillcolor` and `offset`. Other options are refused by name.
 * https://pdfcpu.io/core/stamp.html
 */
function stampOf(given: GivenStamp, layer: 'over' | 'under', keep: (bytes: Buffer) => string): Stamp {
  const options: Partial<Record<OptionName, string>> = {}
  for (const [key, value] of Object.entries(given.options)) options[optionName(key)] = value.trim()
  const { position = 'c', opacity = '1', points = '24' } = options
  const [size = '0.5', kind = 'rel'] = (options.scalefactor ?? '0.5 rel').split(/[\s,]+/)
  const scale = numberOf('scale', size)
  const isText = given.source === 'text'
  const [dx = '0', dy = '0'] = (options.offset ?? '0 0').split(/[\s,]+/)
  const rotation = numberOf('rotation', options.rotation ?? (isText && options.diagonal === undefined ? '45' : '0'))
  return {
    layer,
    ...(isText
      ? { text: given.expression || refuse(400, textMissing) }
      : { asset: keep(given.file?.bytes ?? Buffer.alloc(0)) }),
    ...pagesOf(given.pages),
    position: positions[position] ?? refuse(400, `Invalid form data: the stamp option 'position' is '${position}'`),
    x: numberOf('offset', dx) * mmPerPoint,
    y: -numberOf('offset', dy) * mmPerPoint,
    rotation,
    opacity: numberOf('opacity', opacity),
    ...(kind === 'rel' && { width: Math.max(1, scale * pageWidthMm) }),
    ...(kind !== 'rel' && isText && { font_size: Math.max(1, numberOf('points', points) * scale) }),
    ...colour(options.fillcolor ?? options.color),
  }
}

const textMissing = 'Invalid form data: a stamp of the source text needs its expression'

function optionName(key: string): OptionName {
  const lower = key.toLowerCase()
  const found = lower === '' ? undefined : optionNames.find((name) => name.startsWith(lower))
  const names = 'position, rotation, diagonal, opacity, points, scalefactor, fillcolor, color and offset'
  return found ?? refuse(400, `Invalid form data: the stamp option '${key}' is not supported; supported: ${names}`)
}

function numberOf(option: string, text: string): number {
  const value = Number(text)
  if (text !== '' && Number.isFinite(value)) return value
  return refuse(400, `Invalid form data: the stamp option '${option}' is '${text}'`)
}

/** `#rrggbb`, or three numbers from 0 to 1. */
function colour(text: string | undefined): { color?: string } {
  if (text === undefined) return {}
  if (/^#[0-9a-f]{6}$/i.test(text)) return { color: text }
  const parts = text.split(/[\s,]+/).map(Number)
  const isRgb = parts.length === 3 && parts.every((part) => part >= 0 && part <= 1)
  if (!isRgb) return refuse(400, `Invalid form data: the stamp option 'fillcolor' is '${text}'`)
  const hex = parts.map((part) =>
    Math.round(part * 255)
      .toString(16)
      .padStart(2, '0'),
  )
  return { color: `#${hex.join('')}` }
}

function protection({ userPassword, ownerPassword, permissions }: NonNullable<PdfWork['encrypt']>) {
  return {
    ...(userPassword !== '' && { user_password: userPassword }),
    ...(ownerPassword !== '' && { owner_password: ownerPassword }),
    permissions,
  }
}

const relationships = ['source', 'data', 'alternative', 'supplement', 'unspecified'] as const

function relationship(text: string | undefined) {
  const found = relationships.find((name) => name === text?.toLowerCase())
  if (text !== undefined && !found) refuse(400, `Invalid form data: the relationship '${text}' of an embed is unknown`)
  return found ? { relationship: found } : {}
}

const mediaTypes: Record<string, string> = {
  xml: 'text/xml',
  pdf: 'application/pdf',
  json: 'application/json',
  txt: 'text/plain',
  csv: 'text/csv',
  html: 'text/html',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  zip: 'application/zip',
}

function typeOf(name: string, given: string | undefined): string {
  if (given !== undefined && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(given)) return given
  return mediaTypes[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream'
}
