import { lengthMm } from '@platen/foundation/css-length.ts'
import { encode } from 'uqr'
import { barcodeNames, drawBarcode } from './barcode.ts'
import { type HelperCall, type HelperFamily, hashText, integerOf, isAbsent, shown, textOf, wrong } from './helper.ts'
import { svgOf } from './svg.ts'

const levels = ['L', 'M', 'Q', 'H'] as const
/** A smaller module than 0.1 mm is not printed. A larger code than 500 mm is on no sheet. */
const [minMm, maxMm] = [1, 500]

export const codeHelpers: HelperFamily = {
  qrcode: {
    signature: 'qrcode text size= level= margin=',
    does:
      'A QR code as inline SVG, by default size="30mm". The level of error correction is L, M (the default), Q or H, or a better one ' +
      'that has room. The margin is the quiet zone in modules, by default 4. Up to 2,953 bytes at level L; text is in UTF-8.',
    examples: [
      { template: '{{qrcode website size="25mm"}}', data: { website: 'https://example.com' }, gives: '<svg …>' },
    ],
    args: [1, 1],
    hash: ['size', 'level', 'margin'],
    run: (call) => {
      const text = textOf(call, call.args[0])
      if (text === '') return undefined
      const level = hashText(call, 'level')?.toUpperCase() ?? 'M'
      const ecc = levels.find((name) => name === level)
      if (ecc === undefined) return wrong(call, `the level must be L, M, Q or H, not ${shown(call.hash.level)}`)
      const margin = isAbsent(call.hash.margin) ? 4 : integerOf(call, call.hash.margin, 'the margin', 0, 100)
      const mm = lengthOf(call, 'size') ?? 30
      const { data, size } = qr(call, text, ecc)
      const path = data.map((row, y) => runsOf(row, data[y + 1], { x: margin, y: y + margin })).join('')
      const side = size + margin * 2
      return svgOf({
        path: `<path d="${path}"/>`,
        box: [side, side],
        mm: [mm, mm],
        kind: 'qrcode',
        label: `QR code: ${text}`,
      })
    },
  },
  barcode: {
    signature: 'barcode text type= width= height= text=',
    does:
      `A barcode as inline SVG. The type is ${barcodeNames.join(', ')}. Linear codes have bars of 0.33 mm, or the width, ` +
      'and are 15 mm high; text=true prints the characters below them, as EAN and UPC do unless text=false. The two-dimensional codes ' +
      'are as wide as high (width="20mm"). Quiet zones are included. A wrong check digit is an error; a missing one is added.',
    examples: [
      {
        template: '{{barcode article type="ean13" height="12mm"}}',
        data: { article: '4006381333931' },
        gives: '<svg …>',
      },
    ],
    args: [1, 1],
    hash: ['type', 'width', 'height', 'text'],
    run: (call) => {
      const text = textOf(call, call.args[0])
      if (text === '') return undefined
      return drawBarcode(call, text, { widthMm: lengthOf(call, 'width'), heightMm: lengthOf(call, 'height') })
    },
  },
}

function qr(call: HelperCall, text: string, ecc: (typeof levels)[number]) {
  try {
    return encode(text, { ecc, boostEcc: true, border: 0 })
  } catch {
    const bytes = Buffer.byteLength(text)
    return wrong(call, `the text has ${bytes} bytes, more than a QR code of level ${ecc} can hold`)
  }
}

/** Dark modules side by side as one rectangle. It reaches into a dark one below, so that no viewer shows a line between them. */
function runsOf(
  row: readonly boolean[],
  below: readonly boolean[] | undefined,
  { x, y }: { x: number; y: number },
): string {
  let path = ''
  for (let from = 0; from < row.length; from++) {
    if (!row[from]) continue
    const joined = below?.[from] === true
    let to = from + 1
    while (row[to] && (below?.[to] === true) === joined) to++
    // The first of two runs side by side reaches into the next one.
    const width = row[to] ? to - from + 0.1 : to - from
    path += `M${from + x} ${y}h${width}v${joined ? 1.1 : 1}h-${width}z`
    from = to - 1
  }
  return path
}

function lengthOf(call: HelperCall, name: string): number | undefined {
  const text = hashText(call, name)
  if (text === undefined) return undefined
  const mm = lengthMm(text)
  if (mm !== undefined && mm >= minMm && mm <= maxMm) return mm
  return wrong(call, `${name} must be a length from ${minMm} mm to ${maxMm} mm such as "30mm", not ${shown(text)}`)
}
