import { createHash } from 'node:crypto'

/** The room for a signature: certificates of 2 to 3 KB each, and a time stamp with those of its authority. */
export const placeholderBytes = 16_384

interface Place {
  /** The angle brackets of the value, and what is between them. */
  from: number
  to: number
}

/** What a prepared signature covers: all of the file but its value (ISO 32000-1, 12.8.1). `pdf` is changed. */
export function writeByteRange(pdf: Buffer): { digest: Buffer; place: Place } {
  const marker = '/ByteRange [ 0 /********** /********** /********** ]'
  const at = pdf.lastIndexOf(marker, undefined, 'latin1')
  const zeros = `<${'0'.repeat(2 * placeholderBytes)}>`
  const from = pdf.lastIndexOf(zeros, undefined, 'latin1')
  if (at < 0 || from < 0) throw new Error('the PDF has no prepared signature')
  const place = { from, to: from + zeros.length }
  const range = `/ByteRange [ 0 ${from} ${place.to} ${pdf.length - place.to} ]`
  pdf.write(range.padEnd(marker.length), at, 'latin1')
  const digest = createHash('sha256').update(pdf.subarray(0, from)).update(pdf.subarray(place.to)).digest()
  return { digest, place }
}

/** Throws if the signature is larger than its room. */
export function writeSignature(pdf: Buffer, { from }: Place, signature: Uint8Array): void {
  if (signature.length > placeholderBytes) {
    throw new Error(`the signature has ${signature.length} bytes, and there is room for ${placeholderBytes}`)
  }
  pdf.write(Buffer.from(signature).toString('hex'), from + 1, 'latin1')
}
