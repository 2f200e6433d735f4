import { deflateSync } from 'node:zlib'

/** A PDF of one page, whose content stream is compressed. `objects` have the numbers from 5 on. */
function onePage(content: Uint8Array, resources = '', objects: readonly Uint8Array[] = []): Uint8Array {
  const page = `<</Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources <<${resources}>>>>`
  const all = ['<</Type /Catalog /Pages 2 0 R>>', '<</Type /Pages /Kids [3 0 R] /Count 1>>', page]
    .map((object): Uint8Array => Buffer.from(object))
    .concat([streamOf('', content), ...objects])
  const parts: Uint8Array[] = [Buffer.from('%PDF-1.7\n')]
  const places: number[] = []
  let length = 9
  for (const [index, object] of all.entries()) {
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')])
    places.push(length)
    parts.push(part)
    length += part.byteLength
  }
  const entries = places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const table = `xref\n0 ${all.length + 1}\n0000000000 65535 f \n${entries}`
  const trailer = `trailer\n<</Size ${all.length + 1} /Root 1 0 R>>\nstartxref\n${length}\n%%EOF\n`
  return Buffer.concat([...parts, Buffer.from(table + trailer)])
}

function streamOf(entries: string, content: Uint8Array): Uint8Array {
  const data = deflateSync(content)
  const head = `<<${entries} /Filter /FlateDecode /Length ${data.byteLength}>>\nstream\n`
  return Buffer.concat([Buffer.from(head), data, Buffer.from('\nendstream')])
}

/** A content stream of so many MiB of spaces, in a thousandth of the size. */
export function spaces(mib: number): Uint8Array {
  return onePage(Buffer.alloc(mib * 2 ** 20, ' '))
}

/** Form XObjects of which each draws the next one so many times: 12 in eight levels are 430 million, in 3 kB. */
export function nestedForms(levels = 8, times = 12): Uint8Array {
  const call = Buffer.from('/F Do '.repeat(times))
  const form = '/Type /XObject /Subtype /Form /BBox [0 0 200 200]'
  const forms = Array.from({ length: levels }, (_, level) =>
    level === levels - 1
      ? streamOf(form, Buffer.from('0 0 1 1 re f'))
      : streamOf(`${form} /Resources <</XObject <</F ${level + 6} 0 R>>>>`, call),
  )
  return onePage(call, '/XObject <</F 5 0 R>>', forms)
}

/** A large picture that is drawn again and again: minutes of a processor, and little memory. */
export function repeatedPicture(times = 10_000): Uint8Array {
  const [width, height] = [4_000, 4_000]
  const entries = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8`
  const picture = streamOf(entries, Buffer.alloc(width * height))
  return onePage(Buffer.from('q 100 3 5 100 0 0 cm /P Do Q '.repeat(times)), '/XObject <</P 5 0 R>>', [picture])
}
