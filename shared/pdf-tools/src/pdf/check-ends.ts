import { refuse } from '../task/pdf-tool-failed.ts'

/** Throws PdfToolFailed unless the bytes begin and end as those of a PDF. `what`: what messages call it. */
export function checkEnds(bytes: Uint8Array, what: string): void {
  if (!hasHeader(bytes)) refuse('unreadable', `${what} is no PDF: it does not begin with %PDF-`)
  if (!hasEnd(bytes)) refuse('unreadable', `${what} is cut off: it does not end with where its objects are (startxref)`)
}

/** As in other programs, the header may be anywhere in the first 1,024 bytes. */
function hasHeader(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1_024)).includes('%PDF-')
}

/** Without the end, objects at the end are missing. What is left would be taken for the whole PDF. */
function hasEnd(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return file.lastIndexOf('startxref') > file.lastIndexOf('endobj')
}
