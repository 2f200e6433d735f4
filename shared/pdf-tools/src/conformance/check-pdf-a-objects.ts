import { PDFArray, PDFDict, type PDFDocument, PDFName, PDFStream } from '@cantoo/pdf-lib'
import type { Operation } from './content-operations.ts'
import { isName } from './content-reader.ts'
import { at, filters, has, nameAt, remove } from './pdf-objects.ts'
import type { Violations } from './violation.ts'

// The rules of PDF/A-3b (ISO 19005-3) that concern colours, pictures, annotations, actions and streams. What neither shows nor
// does anything is mended; the rest is reported.

const standardBlendModes = new Set([
  ...['Normal', 'Compatible', 'Multiply', 'Screen', 'Overlay', 'Darken', 'Lighten', 'ColorDodge', 'ColorBurn'],
  ...['HardLight', 'SoftLight', 'Difference', 'Exclusion', 'Hue', 'Saturation', 'Color', 'Luminosity'],
])
const allowedActions = new Set(['GoTo', 'GoToR', 'GoToE', 'Thread', 'URI', 'Named', 'SubmitForm'])
const cmyk = 'colours are in DeviceCMYK, and the output intent is sRGB. Use RGB colours'

/** An operator of a content stream. `nesting` counts the open `q` of its stream. */
export function checkOperation(
  { operator, operands }: Operation,
  nesting: number,
  found: Violations,
  place: string,
): void {
  const [first] = operands
  if (operator === 'k' || operator === 'K') found.add('6.2.4.3', 3, `${place}: ${cmyk}`)
  if ((operator === 'cs' || operator === 'CS') && isName(first) && first.name === 'DeviceCMYK') {
    found.add('6.2.4.3', 3, `${place}: ${cmyk}`)
  }
  if (operator === 'BI' && first instanceof Map) {
    const space = first.get('CS') ?? first.get('ColorSpace')
    if (isName(space) && ['CMYK', 'DeviceCMYK'].includes(space.name)) found.add('6.2.4.3', 3, `${place}: ${cmyk}`)
    if ((first.get('I') ?? first.get('Interpolate')) === true) {
      found.add('6.2.8', 3, `${place}: a picture in the content is interpolated`)
    }
  }
  if (operator === 'q' && nesting > 28) found.add('6.1.13', 8, `${place}: graphics states are nested more than 28 deep`)
}

/** Every object of the file. */
export function checkObjects(document: PDFDocument, found: Violations): void {
  for (const [, object] of document.context.enumerateIndirectObjects()) {
    visit(object, found, 0)
  }
}

function visit(object: unknown, found: Violations, depth: number): void {
  if (depth > 64) return
  if (object instanceof PDFStream) {
    checkStream(object, found)
    visit(object.dict, found, depth + 1)
  } else if (object instanceof PDFDict) {
    checkDictionary(object, found)
    for (const value of object.values()) visit(value, found, depth + 1)
  } else if (object instanceof PDFArray) {
    checkColourSpace(object, found)
    for (const value of object.asArray()) visit(value, found, depth + 1)
  }
}

function checkStream({ dict }: PDFStream, found: Violations): void {
  if (has(dict, 'F') || has(dict, 'FFilter')) found.add('6.1.7.1', 3, 'a stream is in another file')
  for (const filter of filters(dict)) {
    if (filter === 'LZWDecode') found.add('6.1.7.2', 1, 'a stream is compressed with LZW')
    if (filter === 'Crypt') found.add('6.1.7.2', 2, 'a stream has a filter Crypt')
    if (filter === 'JPXDecode')
      found.add('6.2.8.3', 1, 'a picture is in JPEG 2000, whose data are not checked. Use JPEG or PNG')
  }
  const subtype = nameAt(dict, 'Subtype')
  if (subtype === 'PS' || nameAt(dict, 'Subtype2') === 'PS') found.add('6.2.9', 3, 'an XObject has PostScript')
  if (subtype === 'Form' && has(dict, 'Ref')) found.add('6.2.9', 2, 'a form XObject refers to another file')
  if (subtype === 'Image') {
    remove(dict, 'Alternates')
    remove(dict, 'OPI')
    if (has(dict, 'Interpolate')) remove(dict, 'Interpolate')
    if (nameAt(dict, 'ColorSpace') === 'DeviceCMYK') found.add('6.2.4.3', 3, `a picture: ${cmyk}`)
  }
  if (subtype === 'Form') remove(dict, 'OPI')
}

function checkDictionary(dict: PDFDict, found: Violations): void {
  const type = nameAt(dict, 'Type')
  if (type === 'ExtGState' || has(dict, 'BM')) checkGraphicsState(dict, found)
  const action = nameAt(dict, 'S')
  const isAction = type === 'Action' || (action !== undefined && knownActions.has(action))
  if (isAction && action !== undefined && !allowedActions.has(action)) {
    found.add('6.5.1', 1, `an action has the type ${action}`)
  }
  for (const value of ['CS', 'ColorSpace']) {
    if (nameAt(dict, value) === 'DeviceCMYK' && !(type === 'XObject')) {
      found.add('6.2.4.3', 3, `a transparency group or shading: ${cmyk}`)
    }
  }
}

const knownActions = new Set([
  ...['Launch', 'JavaScript', 'Sound', 'Movie', 'ResetForm', 'ImportData', 'Hide', 'SetOCGState', 'Rendition', 'Trans'],
  'GoTo3DView',
])

function checkGraphicsState(dict: PDFDict, found: Violations): void {
  const mode = at(dict, 'BM')
  const modes = mode instanceof PDFArray ? mode.asArray().map((_, index) => mode.lookup(index)) : [mode]
  for (const each of modes) {
    if (each instanceof PDFName && !standardBlendModes.has(each.decodeText())) {
      found.add('6.2.10', 1, `the blend mode ${each.decodeText()} is not one of the standard`)
    }
  }
  if (has(dict, 'TR') && nameAt(dict, 'TR') !== 'Identity')
    found.add('6.2.5', 1, 'a graphics state has a transfer function')
  remove(dict, 'HTP')
}

function checkColourSpace(array: PDFArray, found: Violations): void {
  const [first] = array.asArray()
  if (!(first instanceof PDFName)) return
  const kind = first.decodeText()
  const base = array.size() > 1 ? array.lookup(kind === 'Separation' || kind === 'DeviceN' ? 2 : 1) : undefined
  const isSpecial = ['Indexed', 'Pattern', 'Separation', 'DeviceN'].includes(kind)
  if (isSpecial && base instanceof PDFName && base.decodeText() === 'DeviceCMYK') {
    found.add('6.2.4.3', 3, `a colour space: ${cmyk}`)
  }
}
