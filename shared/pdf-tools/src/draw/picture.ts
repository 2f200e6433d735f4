import type { PDFDocument } from '@cantoo/pdf-lib'
import { cm } from '../pdf/matrix.ts'
import { openPdf } from '../pdf/open-pdf.ts'
import { refuse } from '../task/pdf-tool-failed.ts'
import { importPage } from './import-page.ts'
import type { Drawing } from './stamp.ts'

/** Of a CSS pixel, in points. */
const pixel = 0.75

/** A PNG or JPEG picture, or the first page of a PDF. Throws PdfToolFailed for another file. */
export async function pictureDrawing(document: PDFDocument, bytes: Uint8Array, name: string): Promise<Drawing> {
  const head = Buffer.from(bytes.subarray(0, 1_024)).toString('latin1')
  if (head.includes('%PDF-')) {
    const drawn = importPage(document.context, await openPdf({ bytes, name }, Number.POSITIVE_INFINITY), 1)
    if (!drawn) return refuse('unreadable', `The PDF ${JSON.stringify(name)} has no pages`)
    const { width, height, ref } = drawn
    return { width, height, operators: (content) => `${content.resource('XObject', ref)} Do` }
  }
  const image = await embed(document, bytes, head, name)
  await image.embed()
  const [width, height] = [image.width * pixel, image.height * pixel]
  const scaled = cm([width, 0, 0, height, 0, 0])
  return { width, height, operators: (content) => `${scaled}\n${content.resource('XObject', image.ref)} Do` }
}

async function embed(document: PDFDocument, bytes: Uint8Array, head: string, name: string) {
  try {
    if (head.startsWith('\x89PNG')) return await document.embedPng(bytes)
    if (head.startsWith('\xff\xd8')) return await document.embedJpg(bytes)
  } catch (err) {
    const reason = err instanceof Error ? err.message : String(err)
    return refuse('unreadable', `The picture ${JSON.stringify(name)} cannot be read: ${reason}`)
  }
  return refuse('unsupported', `${JSON.stringify(name)} is no PNG, no JPEG and no PDF`)
}
