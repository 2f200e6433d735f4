import type { PDFDict } from '@cantoo/pdf-lib'
import type { Operation } from './content-operations.ts'
import { isName, type Operand } from './content-reader.ts'
import { codesOf, type UsedFont } from './document-fonts.ts'
import { dictAt, numberAt, textAt } from './pdf-objects.ts'

/** Marked content that is open. */
export interface Mark {
  mcid?: number | undefined
  /** Replaces the text inside (ISO 32000-1, 14.9.4). */
  actualText?: string | undefined
  isUsed?: boolean
}

export function readMark(properties: Operand | undefined, resourcesOf: PDFDict | undefined): Mark {
  if (isName(properties)) {
    const dict = dictAt(dictAt(resourcesOf, 'Properties'), properties.name)
    return { mcid: numberAt(dict, 'MCID'), actualText: textAt(dict, 'ActualText') }
  }
  if (!(properties instanceof Map)) return {}
  const mcid = properties.get('MCID')
  const text = properties.get('ActualText')
  return {
    mcid: typeof mcid === 'number' ? mcid : undefined,
    actualText: text instanceof Uint8Array ? decodeText(text) : undefined,
  }
}

function decodeText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes)
  if (buffer[0] === 0xfe && buffer[1] === 0xff) {
    return Buffer.from(buffer.subarray(2, buffer.length & ~1))
      .swap16()
      .toString('utf16le')
  }
  return buffer.toString('latin1')
}

/** The strings that an operator shows. */
export function shownText({ operator, operands }: Operation): Uint8Array[] {
  const last = operands.at(-1)
  if (operator === 'TJ' && Array.isArray(last)) return last.filter((each) => each instanceof Uint8Array)
  return ['Tj', "'", '"'].includes(operator) && last instanceof Uint8Array ? [last] : []
}

/** Counts the codes of a string as used, and adds its text to that of its marked content. */
export function addText(font: UsedFont, text: Uint8Array, marks: Mark[], texts: Map<number, string>): void {
  const codes = codesOf(font, text)
  const replaced = marks.find((mark) => mark.actualText !== undefined)
  for (const code of codes) {
    font.usedCodes.add(code)
    if (replaced === undefined) font.plainCodes.add(code)
  }
  const mcid = marks.findLast((mark) => mark.mcid !== undefined)?.mcid
  if (mcid === undefined) return
  if (replaced?.isUsed === true) return
  if (replaced !== undefined) replaced.isUsed = true
  const added = replaced?.actualText ?? codes.map((code) => font.unicode?.get(code) ?? '').join('')
  texts.set(mcid, (texts.get(mcid) ?? '') + added)
}
