import type { PDFDict, PDFDocument, PDFPage } from '@cantoo/pdf-lib'
import type { SignStep } from '@platen/domain/document/output-options.ts'
import { set } from '../conformance/pdf-objects.ts'
import type { DrawnFont } from '../fonts/drawn-font.ts'
import { openFonts } from '../fonts/text-fonts.ts'
import type { FontFile } from '../task/task.ts'

const pointsPerMm = 72 / 25.4
const padding = 4

interface Appearance extends SignStep {
  visible: NonNullable<SignStep['visible']>
  signer: string
  fonts: readonly FontFile[] | undefined
  signedAt: Date
}

/** Draws the signature: a frame with who signed and when, or with the text of the request, as large as it fits. */
export async function addAppearance(
  document: PDFDocument,
  widget: PDFDict,
  page: PDFPage,
  appearance: Appearance,
): Promise<void> {
  const { visible } = appearance
  const { context } = document
  const fonts = await openFonts(document, appearance.fonts)
  const width = visible.width * pointsPerMm
  const height = visible.height * pointsPerMm
  const text = textOf(appearance)
  const font = fonts.fontOf(text, 'The text of the visible signature')
  const { lines, size } = fitted(text, font, width - 2 * padding, height - 2 * padding)
  const operators = ['q 0.35 G 0.5 w', `0.25 0.25 ${number(width - 0.5)} ${number(height - 0.5)} re S Q`, 'BT 0 g']
  operators.push(`/F ${number(size)} Tf ${number(size * leading)} TL ${padding} ${number(height - padding)} Td`)
  for (const line of lines) operators.push(`T* ${font.lineOf(line).operators(size)}`)
  operators.push('ET')
  await fonts.write()
  const stream = context.flateStream(operators.join('\n'), {
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [0, 0, width, height],
    Resources: { Font: { F: font.ref } },
  })
  const box = page.getCropBox()
  const left = box.x + visible.x * pointsPerMm
  const top = box.y + box.height - visible.y * pointsPerMm
  set(widget, 'Rect', context.obj([left, top - height, left + width, top]))
  set(widget, 'AP', context.obj({ N: context.register(stream) }))
}

const leading = 1.2
const number = (value: number) => String(Math.round(value * 1_000) / 1_000)

function textOf({ visible, signer, signedAt, reason, location }: Appearance): string {
  if (visible.text !== undefined) return visible.text
  const at = `${signedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return [`Signed by ${signer}`, at, reason, location].filter((line) => line !== undefined).join('\n')
}

/** The largest size of 12 points or less at which the text fits. At 4 points the rest is left out. */
function fitted(text: string, font: DrawnFont, width: number, height: number): { lines: string[]; size: number } {
  for (let size = 12; ; size -= 0.5) {
    const lines = text.split('\n').flatMap((line) => wrapped(line, font, size, width))
    const isFitting =
      lines.length * size * leading <= height && lines.every((line) => font.lineOf(line).width * size <= width)
    if (isFitting || size <= 4)
      return { lines: lines.slice(0, Math.max(1, Math.floor(height / (size * leading)))), size }
  }
}

function wrapped(text: string, font: DrawnFont, size: number, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line === '' || font.lineOf(longer).width * size <= width) line = longer
    else {
      lines.push(line)
      line = word
    }
  }
  return [...lines, line]
}
