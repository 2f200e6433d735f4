import { type PdfOptions, resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import type { Screenshot } from '@platen/domain/generation/document-source.ts'
import type { RenderInput } from '@platen/domain/generation/generation.ts'
import type { Quoted } from '@platen/domain/generation/gotenberg-answer.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { refuse } from '../answers/refused.ts'
import type { Form } from '../form/form.ts'
import { parseInteger } from '../form/parse-values.ts'
import { buildChain } from '../pdf/build-chain.ts'
import { readSplit } from '../pdf/pdf-fields.ts'
import { readWork } from '../pdf/read-work.ts'
import type { Job } from '../run/job.ts'
import type { ConvertMarkdown } from './fill-markdown.ts'
import { readSource, type SourceKind } from './page-source.ts'
import { type PrintFields, printOptions, readPrintFields } from './print-fields.ts'
import { type RequestFields, readRequestFields } from './request-fields.ts'

const formats = ['png', 'jpeg', 'webp'] as const
const maxSide = 16_384

/** Fields of a screenshot. The background is left out by a field of all routes. */
function readScreenshotFields(form: Form): Omit<Screenshot, 'omit_background'> {
  const width = form.integer('width', 800)
  const height = form.integer('height', 600)
  const clip = form.bool('clip', false)
  const selector = form.text('selector')
  const format = form.parsed<Screenshot['format']>('format', 'png', (text) => {
    const found = formats.find((format) => format === text)
    if (found) return found
    throw new Error("wrong value, expected either 'png', 'jpeg' or 'webp'")
  })
  const quality = form.parsed('quality', 100, (text) => {
    const value = parseInteger(text)
    if (value < 0) throw new Error('value is negative')
    if (value > 100) throw new Error('value is superior to 100')
    return value
  })
  const optimize_for_speed = form.bool('optimizeForSpeed', false)
  const device_scale_factor = form.number('deviceScaleFactor', 1)
  return {
    format,
    width,
    height,
    quality,
    ...(clip && { clip }),
    ...(selector !== '' && { selector }),
    ...(optimize_for_speed && { optimize_for_speed }),
    ...(device_scale_factor !== 1 && { device_scale_factor }),
  }
}

/** Answers 400 for sizes that no window has. */
function checkScreenshot({ width, height, device_scale_factor: factor = 1 }: Screenshot): void {
  const isSide = (pixels: number) => pixels >= 1 && pixels <= maxSide
  if (isSide(width) && isSide(height) && factor > 0 && factor <= 10) return
  refuse(400, 'Chromium does not handle the provided settings; please check for aberrant form values')
}

export interface JobRules {
  /** Whether scripts run. */
  scripts: boolean
  /** The name of the file, without its extension. */
  name: string
  convert: ConvertMarkdown
}

/** The job of `convert/html`, `convert/markdown` or `convert/url`. */
export async function readConversion(form: Form, kind: SourceKind, rules: JobRules): Promise<Job> {
  const fields = readRequestFields(form)
  const print = readPrintFields(form)
  const split = readSplit(form)
  const work = readWork(form)
  const source = readSource(form, kind, rules.convert)
  form.finish()
  const asked = { ...split, ...work() }
  // PDF/UA is about tags.
  const tagged = print.tagged || asked.formats?.pdfUa === true
  const options = printOptions({ ...print, tagged }, commonOptions(fields, rules), fields)
  const chain = buildChain(asked, [rules.name])
  const input = {
    ...(await source()),
    ...extras(fields),
    options,
    ...(chain.tasks.length > 0 && { chain }),
  }
  return { input: withStatuses(input, fields), extension: 'pdf', quoted: quoted(fields, print), fileName: rules.name }
}

/** The job of `screenshot/html`, `screenshot/markdown` or `screenshot/url`. */
export async function readScreenshot(form: Form, kind: SourceKind, rules: JobRules): Promise<Job> {
  const fields = readRequestFields(form)
  const screenshot = { ...readScreenshotFields(form), ...(fields.omitBackground && { omit_background: true }) }
  const source = readSource(form, kind, rules.convert)
  form.finish()
  checkScreenshot(screenshot)
  const options = resolvePdfOptions(commonOptions(fields, rules))
  const input = { ...(await source()), ...extras(fields), screenshot, options }
  const asked = { ...quoted(fields), ...defined({ selector: screenshot.selector }) }
  const file = { extension: screenshot.format, fileName: rules.name }
  return { input: withStatuses(input, fields), quoted: asked, ...file }
}

const maxWaitMs = 30_000

/** Options that do not depend on the paper. Timers of a document run in real time, and only until it is printed. */
function commonOptions(fields: RequestFields, { scripts }: JobRules): PdfOptions {
  const { waitDelayMs, waitWindowStatus, waitForExpression, waitForSelector, mediaType, mediaFeatures } = fields
  const conditions = [
    ...(waitWindowStatus === '' ? [] : [`window.status === ${JSON.stringify(waitWindowStatus)}`]),
    ...(waitForExpression === '' ? [] : [`(${waitForExpression}\n)`]),
  ]
  const wait = {
    ...(waitDelayMs > 0 && { ms: Math.min(Math.round(waitDelayMs), maxWaitMs) }),
    ...(waitForSelector !== '' && { selector: waitForSelector }),
    ...(conditions.length > 0 && { expression: conditions.join(' && ') }),
  }
  return {
    finish_animations: false,
    ...defined({ media: mediaType }),
    ...(Object.keys(mediaFeatures).length > 0 && { media_features: mediaFeatures }),
    ...(scripts ? { ...(Object.keys(wait).length > 0 && { wait_for: wait }) } : { javascript: 'off' as const }),
  }
}

function extras({ requests, refusals }: RequestFields): Pick<RenderInput, 'requests' | 'refusals'> {
  return {
    ...(Object.keys(requests).length > 0 && { requests }),
    ...(Object.keys(refusals).length > 0 && { refusals }),
  }
}

/** Statuses of the page itself count for a URL only. */
function withStatuses(input: RenderInput, { pageStatuses }: RequestFields): RenderInput {
  if (!input.page || pageStatuses.length === 0) return input
  return { ...input, page: { ...input.page, refused_statuses: pageStatuses } }
}

function quoted({ waitForExpression, waitForSelector }: RequestFields, print?: PrintFields): Quoted {
  return {
    ...(waitForExpression !== '' && { expression: waitForExpression }),
    ...(waitForSelector !== '' && { waitSelector: waitForSelector }),
    ...(print && print.pageRanges !== '' && { pageRanges: print.pageRanges }),
  }
}
