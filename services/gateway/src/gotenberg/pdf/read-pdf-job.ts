import type { Bookmark, DescribeOperation } from '@platen/domain/document/pdf-operation.ts'
import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import type { ChainTask } from '@platen/domain/generation/pdf-chain.ts'
import { isJsonObject } from '@platen/foundation/json/is-json-object.ts'
import { refuse } from '../answers/refused.ts'
import type { Form, FormFile } from '../form/form.ts'
import { parseJson } from '../form/parse-values.ts'
import type { Job } from '../run/job.ts'
import { buildChain } from './build-chain.ts'
import { checkFacturX } from './check-work.ts'
import {
  bindFiles,
  type PdfWork,
  readEmbeds,
  readEncryption,
  readFacturX,
  readFormats,
  readMetadata,
  readOptimization,
  readRotation,
  readSplit,
  readStamps,
} from './pdf-fields.ts'
import { readWork } from './read-work.ts'

/** One outline for all PDFs, or one by the name of each. */
interface GivenBookmarks {
  list?: Bookmark[]
  byName?: Record<string, Bookmark[]>
}

const maxDepth = 64

function readBookmarks(form: Form, { isRequired = false } = {}): GivenBookmarks | undefined {
  if (isRequired) form.require('bookmarks')
  return form.parsed<GivenBookmarks | undefined>('bookmarks', undefined, (text) => {
    const value = unmarshal(text)
    if (Array.isArray(value)) return { list: listOf(value) }
    if (!isJsonObject(value)) throw new Error('unmarshal bookmarks: it must be a list or an object of lists')
    const entries = Object.entries(value).map(([name, list]) => [name, listOf(list)] as const)
    return { byName: Object.fromEntries(entries) }
  })
}

function unmarshal(text: string): unknown {
  try {
    return parseJson(text)
  } catch (err) {
    throw new Error(`unmarshal bookmarks: ${(err as Error).message}`)
  }
}

function listOf(value: unknown, depth = 0): Bookmark[] {
  if (!Array.isArray(value) || depth > maxDepth) throw new Error('unmarshal bookmarks: it must be a list of bookmarks')
  return value.map((item: unknown) => {
    const { title, page, children = [] } = isJsonObject(item) ? item : {}
    if (typeof title !== 'string' || typeof page !== 'number' || !Number.isInteger(page) || page < 1) {
      throw new Error('unmarshal bookmarks: each must have a title and a page from 1')
    }
    const below = children === null ? [] : listOf(children, depth + 1)
    return { title, page, ...(below.length > 0 && { children: below }) }
  })
}

/** The job of a route, from its form. */
export type ReadPdfJob = (form: Form) => Job

const maxInputs = 100

/** Without extensions. `a.pdf` and `a.PDF` are `a` and `a_2`. */
function namesOf(inputs: readonly FormFile[]): string[] {
  const taken = new Set<string>()
  return inputs.map((input) => {
    const name = input.name.replace(/\.pdf$/i, '')
    let own = name
    for (let number = 2; taken.has(own); number++) own = `${name}_${number}`
    taken.add(own)
    return own
  })
}

function jobOf(inputs: readonly FormFile[], work: PdfWork, before: readonly ChainTask[] = []): Job {
  if (inputs.length > maxInputs) {
    refuse(400, `Invalid form data: ${inputs.length} PDFs were sent, at most ${maxInputs} are allowed`)
  }
  const names = namesOf(inputs)
  const sources = inputs.map(({ bytes }) => ({ name: 'upload', content_base64: bytes }))
  const input = {
    tool: { operation: { operation: 'steps' as const }, sources },
    chain: buildChain(work, names, before),
    options: resolvePdfOptions(),
  }
  const [only] = names
  const own = names.length === 1 && only !== undefined ? { fileName: only } : {}
  return { input, extension: 'pdf', quoted: {}, ...own }
}

export const readMerge: ReadPdfJob = (form) => {
  const work = readWork(form)
  const bookmarks = readBookmarks(form)
  const isIndexed = form.bool('autoIndexBookmarks', false)
  const isTitled = form.bool('titleBookmarks', false)
  const inputs = form.requiredInputs('.pdf')
  form.finish()
  const asked = work()
  // One outline for the whole replaces all.
  if (bookmarks?.list) asked.bookmarks = bookmarks.list
  const names = namesOf(inputs)
  const keeps = isIndexed || isTitled || bookmarks?.byName !== undefined
  const byName = bookmarks?.byName && namedFor(bookmarks.byName, inputs, { others: isIndexed || isTitled })
  const before: ChainTask[] = [
    ...(byName ? [{ operation: { operation: 'steps' as const }, bookmarks: byName }] : []),
    ...(keeps ? [] : [{ operation: { operation: 'edit' as const, bookmarks: [] } }]),
    { operation: { operation: 'merge', outline: isTitled } },
  ]
  const { fileName: _, ...job } = jobOf(inputs, asked, before)
  return { ...job, ...(names.length === 1 && names[0] !== undefined && { fileName: names[0] }) }
}

/** `others`: PDFs that are not named keep their own outline. Without it they have none. */
function namedFor(
  byName: NonNullable<GivenBookmarks['byName']>,
  inputs: readonly FormFile[],
  { others }: { others: boolean },
): Record<string, Bookmark[]> {
  const names = namesOf(inputs)
  const entries = inputs.flatMap((file, index): [string, Bookmark[]][] => {
    const own = Object.hasOwn(byName, file.name) ? byName[file.name] : undefined
    const name = names[index]
    if (name === undefined || (own === undefined && others)) return []
    return [[name, own ?? []]]
  })
  return Object.fromEntries(entries)
}

export const readSplitJob: ReadPdfJob = (form) => {
  const split = readSplit(form, { isRequired: true })
  const work = readWork(form)
  const inputs = form.requiredInputs('.pdf')
  form.finish()
  return jobOf(inputs, { ...split, ...work() })
}

/** A route with one kind of work on each PDF. */
const simple =
  (read: (form: Form) => () => PdfWork): ReadPdfJob =>
  (form) => {
    const work = read(form)
    const inputs = form.requiredInputs('.pdf')
    form.finish()
    return jobOf(inputs, work())
  }

export const readFlatten = simple(() => () => ({ flatten: true }))

export const readOptimize = simple((form) => {
  const optimization = readOptimization(form, { isRequired: true })
  return () => optimization
})

export const readRotate = simple((form) => {
  const rotation = readRotation(form, { isRequired: true })
  return () => rotation
})

export const readEncrypt = simple((form) => {
  const { isRestricted: _, ...encryption } = readEncryption(form)
  return () =>
    encryption.encrypt ? encryption : refuse(400, "Invalid form data: a 'userPassword' or 'ownerPassword' is required")
})

export const readConvert = simple((form) => {
  const formats = readFormats(form)
  return () =>
    formats.formats ? formats : refuse(400, "Invalid form data: either 'pdfa' or 'pdfua' form fields must be provided")
})

export const readMetadataWrite = simple((form) => {
  const metadata = readMetadata(form, { isRequired: true })
  return () => metadata
})

export const readEmbed = simple((form) => {
  const embeds = readEmbeds(form)
  const invoice = readFacturX(form)
  return () => {
    const facturX = checkFacturX(invoice.facturX, embeds)
    return facturX ? { ...embeds, facturX } : embeds
  }
})

export const readDrawing = (kind: 'stamp' | 'watermark') =>
  simple((form) => {
    const stamps = readStamps(form, kind)
    return () => {
      if (stamps.length === 0) refuse(400, `Invalid form data: form field '${kind}Source' is required`)
      const bound = bindFiles(form, kind, stamps)
      return kind === 'stamp' ? { stamps: bound } : { watermarks: bound }
    }
  })

export const readBookmarksWrite: ReadPdfJob = (form) => {
  const bookmarks = readBookmarks(form, { isRequired: true })
  const inputs = form.requiredInputs('.pdf')
  form.finish()
  if (bookmarks?.list) return jobOf(inputs, { bookmarks: bookmarks.list })
  const byName = namedFor(bookmarks?.byName ?? {}, inputs, { others: true })
  return jobOf(inputs, {}, [{ operation: { operation: 'steps' }, bookmarks: byName }])
}

export const readDescription = (what: DescribeOperation['what']): ReadPdfJob => simple(() => () => ({ describe: what }))
