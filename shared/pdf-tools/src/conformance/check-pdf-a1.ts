import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFStream,
  PDFString,
} from '@cantoo/pdf-lib'
import type { Operand } from './content-reader.ts'
import { annotations, at, dictAt, has, nameAt, numberAt, remove } from './pdf-objects.ts'
import type { Violations } from './violation.ts'

// What PDF/A-1b (ISO 19005-1) forbids beyond PDF/A-3b: what PDF 1.4 does not have, transparency, layers and embedded files.

/** The numbers that PDF/A-1 has for rules of PDF/A-3. */
export const numbersOfPart1: Readonly<Record<string, string>> = {
  '6.5.2, test 1': '6.6.2, test 3',
  '6.5.2, test 2': '6.6.2, test 3',
  '6.5.1, test 1': '6.6.1, test 1',
  '6.10, test 1': '6.6.1, test 1',
  '6.10, test 2': '6.6.1, test 1',
  '6.11, test 1': '6.6.1, test 1',
  '6.4.2, test 1': '6.9, test 1',
  '6.1.13, test 11': '6.1.12, test 2',
  '6.1.13, test 8': '6.1.12, test 8',
  '6.3.1, test 1': '6.5.2, test 1',
  '6.3.2, test 2': '6.5.3, test 2',
  '6.3.3, test 1': '6.9, test 2',
  '6.4.1, test 1': '6.6.1, test 3',
  '6.2.4.3, test 3': '6.2.3.3, test 2',
  '6.2.8, test 3': '6.2.4, test 3',
  '6.1.7.1, test 3': '6.1.7, test 3',
  '6.1.7.2, test 1': '6.1.10, test 1',
  '6.1.7.2, test 2': '6.1.10, test 1',
  '6.2.8.3, test 1': '6.1.10, test 1',
  '6.2.9, test 2': '6.2.6, test 1',
  '6.2.9, test 3': '6.2.5, test 1',
  '6.2.10, test 1': '6.4, test 4',
  '6.2.5, test 1': '6.2.8, test 1',
}

const annotationsOfPdf14 = new Set([
  ...['Text', 'Link', 'FreeText', 'Line', 'Square', 'Circle', 'Highlight', 'Underline', 'Squiggly', 'StrikeOut'],
  ...['Stamp', 'Ink', 'Popup', 'Widget', 'PrinterMark', 'TrapNet'],
])
const namedActions = new Set(['NextPage', 'PrevPage', 'FirstPage', 'LastPage'])

/** Adds what is broken, and removes transparency groups: without anything transparent in them they change nothing. */
export function checkPdfA1(document: PDFDocument, found: Violations): void {
  const { catalog, context } = document
  if (has(catalog, 'OCProperties')) found.add('6.1.13', 1, 'the document has layers')
  if (has(dictAt(catalog, 'Names'), 'EmbeddedFiles')) found.add('6.1.11', 2, 'the document has embedded files')
  for (const [index, page] of document.getPages().entries()) {
    for (const { dict } of annotations(page.node)) checkAnnotation(dict, found, `page ${index + 1}`)
  }
  for (const [, object] of context.enumerateIndirectObjects()) visit(object, found, 0)
}

/** Numbers of a content stream. */
export function checkNumbers(operands: readonly Operand[], found: Violations, place: string): void {
  for (const operand of operands) {
    if (typeof operand === 'number') checkNumber(operand, found, place)
    else if (Array.isArray(operand)) checkNumbers(operand, found, place)
  }
}

function checkNumber(value: number, found: Violations, place: string): void {
  const limit = Number.isInteger(value) ? 2 ** 31 - 1 : 32_767
  if (Math.abs(value) > limit) found.add('6.1.12', 2, `${place}: the number ${value} is too large`)
}

function checkAnnotation(dict: PDFDict, found: Violations, place: string): void {
  const subtype = nameAt(dict, 'Subtype') ?? ''
  if (!annotationsOfPdf14.has(subtype)) found.add('6.5.2', 1, `${place}: an annotation has the type ${subtype}`)
  if ((numberAt(dict, 'CA') ?? 1) !== 1) found.add('6.5.3', 1, `${place}: an annotation is transparent`)
  if (subtype === 'Widget' && !has(dict, 'AP')) found.add('6.9', 2, `${place}: a form field has no appearance`)
  const appearance = dictAt(dict, 'AP')
  const normal = appearance && at(appearance, 'N')
  const isButton = subtype === 'Widget' && (nameAt(dict, 'FT') ?? nameAt(dictAt(dict, 'Parent'), 'FT')) === 'Btn'
  if (normal !== undefined && !isButton && !(normal instanceof PDFStream)) {
    found.add('6.5.3', 6, `${place}: the appearance of an annotation has states`)
  }
}

function visit(object: PDFObject | undefined, found: Violations, depth: number): void {
  if (depth > 64) return
  if (object instanceof PDFStream) visit(object.dict, found, depth + 1)
  else if (object instanceof PDFDict) {
    checkDictionary(object, found)
    for (const [key, value] of object.entries()) {
      visit(key, found, depth + 1)
      visit(value, found, depth + 1)
    }
  } else if (object instanceof PDFArray) {
    if (object.size() > 8_191) found.add('6.1.12', 5, 'an array has more than 8,191 items. Split the document')
    for (const value of object.asArray()) visit(value, found, depth + 1)
  } else checkSimple(object, found)
}

function checkSimple(object: PDFObject | undefined, found: Violations): void {
  if (object instanceof PDFNumber) checkNumber(object.asNumber(), found, 'an object')
  if (object instanceof PDFName && object.decodeText().length > 127) found.add('6.1.12', 4, 'a name is too long')
  const isText = object instanceof PDFString || object instanceof PDFHexString
  if (isText && object.asBytes().length > 65_535) found.add('6.1.12', 3, 'a text is longer than 65,535 bytes')
}

function checkDictionary(dict: PDFDict, found: Violations): void {
  if (dict.keys().length > 4_095) found.add('6.1.12', 6, 'a dictionary has more than 4,095 entries')
  if (has(dict, 'EF')) found.add('6.1.11', 1, 'the document has embedded files')
  if (nameAt(dictAt(dict, 'Group'), 'S') === 'Transparency') remove(dict, 'Group')
  if (nameAt(dict, 'Subtype') === 'Image') checkPicture(dict, found)
  else checkState(dict, found)
  const action = nameAt(dict, 'S')
  if (action === 'GoToE') found.add('6.6.1', 1, 'an action has the type GoToE')
  if (action === 'Named' && !namedActions.has(nameAt(dict, 'N') ?? '')) {
    found.add('6.6.1', 2, 'a named action is not one of the standard')
  }
}

function checkPicture(dict: PDFDict, found: Violations): void {
  if (has(dict, 'SMask')) found.add('6.4', 2, 'a picture is transparent. Use one without an alpha channel')
  if ((numberAt(dict, 'BitsPerComponent') ?? 8) > 8) found.add('6.2.4', 4, 'a picture has 16 bits per component')
}

/** A graphics state need not say that it is one. */
function checkState(dict: PDFDict, found: Violations): void {
  const transparent = 'the document has something transparent, such as an opacity or a shadow'
  if (has(dict, 'SMask') && nameAt(dict, 'SMask') !== 'None') found.add('6.4', 1, transparent)
  const mode = nameAt(dict, 'BM')
  if (has(dict, 'BM') && mode !== 'Normal' && mode !== 'Compatible')
    found.add('6.4', 4, 'the document has a blend mode')
  if ((numberAt(dict, 'CA') ?? 1) !== 1) found.add('6.4', 5, transparent)
  if ((numberAt(dict, 'ca') ?? 1) !== 1) found.add('6.4', 6, transparent)
}
