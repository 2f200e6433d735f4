import { EncryptedPDFError, ParseSpeeds, type PDFContext, PDFDict, PDFDocument } from '@cantoo/pdf-lib'
import { refuse } from '../task/pdf-tool-failed.ts'
import type { PdfSource } from '../task/task.ts'
import { checkEnds } from './check-ends.ts'
import { dictIn, textIn } from './entries.ts'
import { type PdfPage, readPages } from './read-pages.ts'

export interface OpenPdf {
  document: PDFDocument
  context: PDFContext
  catalog: PDFDict
  /** In order; at least one. */
  pages: PdfPage[]
  /** The file is encrypted; what is saved of it is not. */
  wasEncrypted: boolean
}

/** What is lost of an encrypted PDF. */
export const encryptionLost = 'The PDF was encrypted: its passwords and permissions do not hold for the result'

/**
 * Opens a PDF, also an encrypted one that everybody may open. Throws PdfToolFailed: encrypted, wrong-password, unreadable, too-many-pages. Entries of the wrong type are
 * not found here, but where they are read.
 */
export async function openPdf({ bytes, password, name }: PdfSource, maxPages: number): Promise<OpenPdf> {
  const what = name === undefined ? 'The PDF' : `The PDF ${JSON.stringify(name)}`
  checkEnds(bytes, what)
  const { document, wasEncrypted } = await load(bytes, password, what)
  const { context, catalog } = document
  if (!(catalog instanceof PDFDict) || !dictIn(catalog, 'Pages')) {
    refuse('unreadable', `${what} cannot be read: it has no catalog with pages. It may be cut off`)
  }
  const pages = readPages(context, catalog, maxPages, what)
  if (pages.length === 0) refuse('unreadable', `${what} has no pages. It may be cut off`)
  return { document, context, catalog, pages, wasEncrypted }
}

/** The title of the document information. */
export function titleOf({ context }: OpenPdf): string | undefined {
  const info = context.lookup(context.trailerInfo.Info)
  return info instanceof PDFDict ? textIn(info, 'Title')?.trim() || undefined : undefined
}

type Loaded = Pick<OpenPdf, 'document' | 'wasEncrypted'>

const options = { updateMetadata: false, parseSpeed: ParseSpeeds.Fastest }

async function load(bytes: Uint8Array, password: string | undefined, what: string): Promise<Loaded> {
  try {
    return await (password === undefined ? withoutPassword(bytes) : decrypted(bytes, password))
  } catch (err) {
    if (err instanceof EncryptedPDFError) return refuse('encrypted', `${what} is encrypted; give its password`)
    const message = err instanceof Error ? err.message : String(err)
    if (/password/i.test(message)) return refuse('wrong-password', `${what} is encrypted with another password`)
    if (/encryption|crypt filter|crypto method|key length/.test(message)) {
      return refuse('unsupported', `${what} is encrypted in a way that is not supported: ${message}`)
    }
    if (err instanceof RangeError) throw err
    return refuse('unreadable', `${what} cannot be read: ${message.slice(0, 300)}`)
  }
}

/** A PDF with permissions only has an empty user password. */
async function withoutPassword(bytes: Uint8Array): Promise<Loaded> {
  try {
    return { document: await PDFDocument.load(bytes, options), wasEncrypted: false }
  } catch (encrypted) {
    if (!(encrypted instanceof EncryptedPDFError)) throw encrypted
    return decrypted(bytes, '').catch((err: Error) => {
      throw /password/i.test(err.message) ? encrypted : err
    })
  }
}

async function decrypted(bytes: Uint8Array, password: string): Promise<Loaded> {
  const { trailerInfo } = (await PDFDocument.load(bytes, { ...options, ignoreEncryption: true })).context
  const document = await PDFDocument.load(bytes, { ...options, password })
  // With a password, the library does not read the trailer of a file with a cross-reference stream.
  document.context.trailerInfo = { ...trailerInfo, ...document.context.trailerInfo }
  delete document.context.trailerInfo.Encrypt
  return { document, wasEncrypted: trailerInfo.Encrypt !== undefined }
}
