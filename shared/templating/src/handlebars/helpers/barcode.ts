import { createRequire } from 'node:module'
import type Handlebars from 'handlebars'
import { type HelperCall, hashText, isAbsent, shown, wrong } from './helper.ts'
import { svgOf } from './svg.ts'

interface Kind {
  /** Its name in BWIPP, which bwip-js is made from. */
  bcid: string
  /** Two-dimensional: as wide as high, or in the ratio that the text needs. */
  matrix?: true
  /** The quiet zone on each side, in modules. */
  quiet: number
  /** The characters are printed below it by default. */
  readable?: true
  /** The number of digits with the check digit. */
  digits?: number
  maxChars: number
  pattern?: RegExp
}

const ascii = /^[\0-\x7f]*$/

const kinds: Record<string, Kind> = {
  code128: { bcid: 'code128', quiet: 10, maxChars: 80, pattern: ascii },
  code39: { bcid: 'code39', quiet: 10, maxChars: 50 },
  ean13: { bcid: 'ean13', quiet: 11, readable: true, digits: 13, maxChars: 13 },
  ean8: { bcid: 'ean8', quiet: 7, readable: true, digits: 8, maxChars: 8 },
  upca: { bcid: 'upca', quiet: 9, readable: true, digits: 12, maxChars: 12 },
  itf14: { bcid: 'itf14', quiet: 10, digits: 14, maxChars: 14 },
  'gs1-128': { bcid: 'gs1-128', quiet: 10, maxChars: 100 },
  datamatrix: { bcid: 'datamatrix', matrix: true, quiet: 2, maxChars: 800 },
  gs1datamatrix: { bcid: 'gs1datamatrix', matrix: true, quiet: 2, maxChars: 800 },
  pdf417: { bcid: 'pdf417', matrix: true, quiet: 2, maxChars: 800 },
  aztec: { bcid: 'azteccode', matrix: true, quiet: 1, maxChars: 800 },
}
export const barcodeNames = Object.keys(kinds)

/** The default width of a bar (GS1 General Specifications, 5.2: the nominal X-dimension), and of two-dimensional codes. */
const moduleMm = 0.33
const matrixMm = 20
const barsMm = 15
/** bwip-js draws a module with this number of units, which are points at its scale of 1. */
const units = 2
const mmPerPoint = 25.4 / 72

interface Size {
  widthMm: number | undefined
  heightMm: number | undefined
}

export function drawBarcode(call: HelperCall, value: string, size: Size): Handlebars.SafeString {
  const name = hashText(call, 'type') ?? wrong(call, `type= is missing: ${barcodeNames.join(', ')}`)
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
  if (!kind) return wrong(call, `there is no type ${shown(name)}, only ${barcodeNames.join(', ')}`)
  check(call, name, kind, value)
  const label = `${name}: ${value}`
  const draw = (options: object) =>
    drawn(call, name, { bcid: kind.bcid, text: value, paddingwidth: kind.quiet, ...options })
  if (kind.matrix) {
    const { path, box } = draw({ paddingheight: kind.quiet })
    const [width, height] = box
    const widthMm = size.widthMm ?? (size.heightMm === undefined ? matrixMm : (size.heightMm * width) / height)
    return svgOf({ path, box, mm: [widthMm, (widthMm * height) / width], kind: 'barcode', label })
  }
  const includetext = isAbsent(call.hash.text) ? kind.readable === true : call.hash.text === true
  // The height of the bars is in the scale of the width, which is known from a first drawing.
  const scale =
    size.widthMm === undefined ? moduleMm / mmPerPoint : size.widthMm / (draw({ includetext }).box[0] * mmPerPoint)
  // EAN and UPC have their digits at places of their own.
  const centred = kind.readable ? {} : { textxalign: 'center' }
  const { path, box } = draw({ includetext, ...centred, height: (size.heightMm ?? barsMm) / scale })
  const [width, height] = box.map((points) => points * mmPerPoint * scale)
  return svgOf({ path, box, mm: [width ?? 0, height ?? 0], kind: 'barcode', label })
}

function check(call: HelperCall, name: string, { digits, maxChars, pattern }: Kind, value: string): void {
  if (digits !== undefined) {
    if (!/^\d+$/.test(value) || (value.length !== digits && value.length !== digits - 1)) {
      wrong(call, `${shown(value)} is no ${name}, which has ${digits} digits, or ${digits - 1} without the check digit`)
    }
    const expected = checkDigit(value.slice(0, digits - 1))
    if (value.length === digits && value.at(-1) !== expected) {
      wrong(call, `${shown(value)} is no ${name}: its check digit would be ${expected}`)
    }
  }
  if (value.length > maxChars) wrong(call, `the text has ${value.length} characters; ${name} may have ${maxChars}`)
  if (pattern && !pattern.test(value)) wrong(call, `${shown(value)} has characters that ${name} cannot hold`)
}

/** GS1 General Specifications, 7.9: weights 3 and 1 from the right. */
function checkDigit(digits: string): string {
  const sum = Array.from(digits, Number).reduceRight(
    (sum, digit, at) => sum + digit * ((digits.length - at) % 2 ? 3 : 1),
    0,
  )
  return String((10 - (sum % 10)) % 10)
}

/** The elements of a barcode, and its size in points at a scale of 1. */
function drawn(call: HelperCall, name: string, options: object): { path: string; box: [number, number] } {
  try {
    const svg = library().toSVG({ scale: units, ...options } as never)
    const [, width, height, path = ''] = /^<svg viewBox="0 0 ([\d.]+) ([\d.]+)"[^>]*>(.*)<\/svg>/s.exec(svg) ?? []
    const scaled = `<g transform="scale(${1 / units})">${path.replaceAll('\n', '')}</g>`
    return { path: scaled, box: [Number(width) / units, Number(height) / units] }
  } catch (err) {
    const message = err instanceof Error ? err.message : String(err)
    return wrong(call, `not a text for ${name}: ${message.replace(/^bwipp\.\w+#\d+: /, '')}`)
  }
}

let loaded: typeof import('bwip-js/node') | undefined

/** Loading it takes 60 ms: done for the first template that needs it. */
function library(): typeof import('bwip-js/node') {
  loaded ??= createRequire(import.meta.url)('bwip-js') as typeof import('bwip-js/node')
  return loaded
}
