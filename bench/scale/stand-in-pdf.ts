import { randomNumbers } from '../documents/random.ts'

/** The bytes of a PDF without its content stream: header, objects, cross-references. */
const frameBytes = 1_024

/**
 * A PDF of one empty page with exactly this size (at least 1 KB): a classic cross-reference table, as Chromium writes it (ISO 32000-1, 7.5.4),
 * and a content stream of bytes that do not compress, behind a comment sign.
 */
export function standInPdf(bytes: number): Buffer {
  const size = Math.max(bytes, frameBytes)
  // The length of a stream changes the number of digits of later offsets, so that the last bytes are filled up.
  for (let contentBytes = size - 560; ; contentBytes -= 1) {
    const pdf = write(contentBytes)
    if (pdf.byteLength <= size) return withComment(pdf, size)
  }
}

function write(contentBytes: number): Buffer {
  const random = randomNumbers(1)
  const content = Buffer.from(Uint8Array.from({ length: contentBytes }, () => 33 + Math.floor(random() * 90)))
  content.write('%')
  const objects = [
    '<</Type /Catalog\n/Pages 2 0 R>>',
    '<</Type /Pages\n/Count 1\n/Kids [3 0 R]>>',
    '<</Type /Page\n/Parent 2 0 R\n/MediaBox [0 0 595 842]\n/Resources <<>>\n/Contents 4 0 R>>',
    `<</Length ${contentBytes}>> stream\n${content.toString('latin1')}\nendstream`,
    '<</Creator (stand-in)\n/Producer (bench/scale)>>',
  ]
  let text = '%PDF-1.4\n'
  const entries = objects.map((object, index) => {
    const entry = `${String(text.length).padStart(10, '0')} 00000 n \n`
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return entry
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join('')}`
  const trailer = `trailer\n<</Size ${objects.length + 1}\n/Root 1 0 R\n/Info 5 0 R>>\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(`${text}${table}${trailer}`, 'latin1')
}

/** Fills the file up behind its end, where readers look for the end only. */
function withComment(pdf: Buffer, size: number): Buffer {
  const missing = size - pdf.byteLength
  return missing === 0 ? pdf : Buffer.concat([pdf, Buffer.alloc(missing, '\n')])
}
