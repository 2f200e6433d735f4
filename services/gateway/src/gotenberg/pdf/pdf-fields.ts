import type { Bookmark } from '@platen/domain/document/pdf-operation.ts'
import { isJsonObject } from '@platen/foundation/json/is-json-object.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import { refuse } from '../answers/refused.ts'
import type { Form, FormFile } from '../form/form.ts'
import { parseInteger, parseJson } from '../form/parse-values.ts'

/** What is done to PDFs, in the order of the fields. Absent: not asked for. */
export interface PdfWork {
  split?: { mode: 'intervals' | 'pages'; span: string; unify: boolean }
  watermarks?: GivenStamp[]
  stamps?: GivenStamp[]
  rotate?: { degrees: number; pages: string }
  flatten?: true
  optimize?: { quality: number }
  formats?: { pdfA: string; pdfUa: boolean }
  metadata?: JsonObject
  /** Replaces the outline of each PDF. */
  bookmarks?: Bookmark[]
  embeds?: FormFile[]
  /** By the name of an embedded file. */
  embedsMetadata?: Record<string, { mimeType?: string; relationship?: string }>
  facturX?: { level: string; xml: FormFile }
  encrypt?: Encryption
  /** What is told of each PDF, instead of a PDF. */
  describe?: 'information' | 'bookmarks'
}

/** A stamp is over the content of the pages, a watermark under it. */
export interface GivenStamp {
  source: 'text' | 'image' | 'pdf'
  expression: string
  file?: FormFile
  pages: string
  options: Record<string, string>
}

export interface Encryption {
  userPassword: string
  ownerPassword: string
  permissions: Record<'print' | 'extract' | 'modify' | 'annotate' | 'fill_forms' | 'assemble', boolean>
}

export function readSplit(form: Form, { isRequired = false } = {}): Pick<PdfWork, 'split'> {
  if (isRequired) {
    form.require('splitMode')
    form.require('splitSpan')
  }
  const mode = form.parsed<'' | 'intervals' | 'pages'>('splitMode', '', (text) => {
    if (text === 'intervals' || text === 'pages') return text
    throw new Error("wrong value, expected either 'intervals' or 'pages'")
  })
  const span = form.parsed('splitSpan', '', (text) => {
    const bare = text.replace(/\s/g, '')
    if (mode === 'intervals' && parseInteger(bare) < 1) throw new Error('value is inferior to 1')
    return bare
  })
  const unify = form.bool('splitUnify', false)
  if (unify && mode !== 'pages') {
    const got = form.text('splitUnify')
    const reason = `unify is not available for split mode '${mode}'`
    form.problem(`form field 'splitUnify' is invalid (got '${got}', resulting to ${reason})`)
  }
  return mode === '' ? {} : { split: { mode, span, unify } }
}

export function readFormats(form: Form): Pick<PdfWork, 'formats'> {
  const pdfA = form.text('pdfa')
  const pdfUa = form.bool('pdfua', false)
  return pdfA === '' && !pdfUa ? {} : { formats: { pdfA, pdfUa } }
}

export function readMetadata(form: Form, { isRequired = false } = {}): Pick<PdfWork, 'metadata'> {
  if (isRequired) form.require('metadata')
  const metadata = form.parsed('metadata', {}, (text) => objectOf('metadata', text))
  return Object.keys(metadata).length === 0 ? {} : { metadata }
}

/** Throws with the name of the field. */
function objectOf(name: string, text: string): JsonObject {
  try {
    const value = parseJson(text)
    if (isJsonObject(value)) return value
  } catch (err) {
    throw new Error(`unmarshal ${name}: ${(err as Error).message}`)
  }
  throw new Error(`unmarshal ${name}: it must be an object`)
}

export function readEncryption(form: Form): Pick<PdfWork, 'encrypt'> & { isRestricted: boolean } {
  const userPassword = form.text('userPassword')
  const ownerPassword = form.text('ownerPassword')
  const permissions = {
    print: form.bool('allowPrinting', true),
    extract: form.bool('allowCopying', true),
    modify: form.bool('allowModifying', true),
    annotate: form.bool('allowAnnotating', true),
    fill_forms: form.bool('allowFillingForms', true),
    assemble: form.bool('allowAssembling', true),
  }
  const isRestricted = Object.values(permissions).includes(false)
  if (userPassword === '' && ownerPassword === '') return { isRestricted }
  return { encrypt: { userPassword, ownerPassword, permissions }, isRestricted }
}

export function readEmbeds(form: Form): Pick<PdfWork, 'embeds' | 'embedsMetadata'> {
  const embeds = form.filesOf('embeds')
  const embedsMetadata = form.parsed('embedsMetadata', {}, readEmbedsMetadata)
  return embeds.length === 0 ? {} : { embeds, embedsMetadata }
}

function readEmbedsMetadata(text: string): NonNullable<PdfWork['embedsMetadata']> {
  const entries = Object.entries(objectOf('embedsMetadata', text)).map(([name, value]) => {
    const { mimeType, relationship, ...other } = isJsonObject(value) ? value : { wrong: value }
    const [unknown] = Object.keys(other)
    if (unknown !== undefined) throw new Error(`'${unknown}' of '${name}' is not supported`)
    const isType = typeof mimeType === 'string'
    const isRelationship = typeof relationship === 'string'
    return [name, { ...(isType && { mimeType }), ...(isRelationship && { relationship }) }] as const
  })
  return Object.fromEntries(entries)
}

/** `kind`: the prefix of the fields, and the field of the files. The problems of stamps are told before all others. */
export function readStamps(form: Form, kind: 'stamp' | 'watermark'): GivenStamp[] {
  const [sources, expressions, pages, options] = (['Source', 'Expression', 'Pages', 'Options'] as const).map((name) =>
    form.all(`${kind}${name}`),
  )
  return (sources ?? []).map((source, index) => {
    if (source !== 'text' && source !== 'image' && source !== 'pdf') {
      const reason = "wrong value, expected either 'text', 'image' or 'pdf'"
      const field = `form field '${kind}Source' is invalid (got '${source}', resulting to ${reason})`
      return refuse(400, `Invalid form data: ${field}`)
    }
    const at = (values: readonly string[] | undefined) => values?.[index] ?? ''
    return { source, expression: at(expressions), pages: at(pages), options: stampOptions(kind, at(options)) }
  })
}

function stampOptions(kind: string, text: string): Record<string, string> {
  if (text === '') return {}
  try {
    const value = parseJson(text)
    if (isJsonObject(value) && Object.values(value).every((item) => typeof item === 'string')) {
      return value as Record<string, string>
    }
  } catch {
    // Refused below.
  }
  return refuse(400, `Invalid form data: form field '${kind}Options' is invalid`)
}

/** Gives each picture and PDF its file, in order. To be called after the fields were checked. */
export function bindFiles(form: Form, kind: 'stamp' | 'watermark', stamps: readonly GivenStamp[]): GivenStamp[] {
  const files = form.filesOf(kind)
  return stamps.map((stamp) => {
    if (stamp.source === 'text') return stamp
    const file = files.shift()
    return file
      ? { ...stamp, file }
      : refuse(400, `Invalid form data: a ${kind} file is required for image or pdf source`)
  })
}

export function readRotation(form: Form, { isRequired = false } = {}): Pick<PdfWork, 'rotate'> {
  if (isRequired) form.require('rotateAngle')
  const degrees = form.parsed('rotateAngle', 0, (text) => {
    const angle = parseInteger(text)
    if ([90, 180, 270].includes(angle)) return angle
    throw new Error('wrong value, expected 90, 180, or 270')
  })
  const pages = form.text('rotatePages')
  return degrees === 0 ? {} : { rotate: { degrees, pages } }
}

const defaultQuality = 80

export function readOptimization(form: Form, { isRequired = false } = {}): Pick<PdfWork, 'optimize'> {
  const isWanted = isRequired || form.bool('optimizeImages', false)
  const quality = form.parsed('imageQuality', defaultQuality, (text) => {
    const value = parseInteger(text)
    if (value < 1) throw new Error('value is inferior to 1')
    if (value > 100) throw new Error('value is superior to 100')
    return value
  })
  return isWanted ? { optimize: { quality } } : {}
}

const levels = ['MINIMUM', 'BASIC WL', 'BASIC', 'EN 16931', 'EXTENDED', 'XRECHNUNG']

export function readFacturX(form: Form): { facturX?: { level: string; xml: FormFile | undefined } } {
  const [xml] = form.filesOf('facturxXml')
  const level = form.parsed('facturxConformanceLevel', '', (text) => {
    if (levels.includes(text)) return text
    throw new Error(`unsupported conformance level '${text}'`)
  })
  form.parsed('facturxDocumentType', 'INVOICE', (text) => {
    if (text === 'INVOICE') return text
    throw new Error(`unsupported document type '${text}'`)
  })
  form.text('facturxVersion')
  return xml === undefined && level === '' ? {} : { facturX: { level, xml } }
}
