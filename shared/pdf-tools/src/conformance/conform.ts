import { createHash } from 'node:crypto'
import { type PDFDocument, PDFHeader, PDFHexString, PDFName, PDFRawStream, PDFString } from '@cantoo/pdf-lib'
import type { ConformanceStep } from '@platen/domain/document/output-options.ts'
import { checkFonts, checkUnicode } from './check-fonts.ts'
import { checkDocument } from './check-pdf-a-document.ts'
import { checkObjects, checkOperation } from './check-pdf-a-objects.ts'
import { checkNumbers, checkPdfA1, numbersOfPart1 } from './check-pdf-a1.ts'
import { checkStructure } from './check-structure.ts'
import { markPages } from './content-marks.ts'
import type { UsedFont } from './document-fonts.ts'
import { mendCidSets } from './mend-cid-sets.ts'
import { mendEmbeddedFiles } from './mend-embedded-files.ts'
import { mendStructure } from './mend-structure.ts'
import { asDict, at, decoded, dictAt, has, set, textAt } from './pdf-objects.ts'
import { srgbProfile } from './srgb-profile.ts'
import { writeUnicodeMap } from './unicode-map.ts'
import { pdfA1, pdfA2, pdfA3, pdfUa1, type Violation, Violations } from './violation.ts'
import { walkContent } from './walk-content.ts'
import { buildXmp, readFacts, type XmpClaims } from './xmp.ts'

const replacement = '\uFFFD'

/**
 * Chromium maps glyphs without a character of their own, such as parts of Indic conjuncts, to U+0000, which ISO 14289-1, 7.21.7
 * forbids. Their text is in an `ActualText`; where it always is, the glyphs are mapped to U+FFFD instead.
 */
function mendUnicode({ context }: PDFDocument, fonts: readonly UsedFont[]): void {
  for (const font of fonts) {
    const { unicode, isComposite, plainCodes } = font
    if (unicode === undefined || !isComposite) continue
    const wrong = [...unicode].filter(([code, text]) => text === '\0' && !plainCodes.has(code))
    if (wrong.length === 0) continue
    font.unicode = new Map([...unicode, ...wrong.map(([code]) => [code, replacement] as const)])
    set(font.dict, 'ToUnicode', context.register(context.flateStream(writeUnicodeMap(font.unicode))))
  }
}

/** What is described in the metadata beside the standards, such as an e-invoice. */
export type FurtherMetadata = Pick<XmpClaims, 'descriptions' | 'schemas'>

type PdfA = NonNullable<ConformanceStep['pdf_a']>

/**
 * Makes a document conform to PDF/A-1b, -2b or -3b (ISO 19005), PDF/UA-1 (ISO 14289-1) or both: mends what it can, and then claims the
 * standard in the metadata. Returns the rules that are still broken; the document must not be used if there is one.
 */
export function conform(document: PDFDocument, step: ConformanceStep, further: FurtherMetadata = {}): Violation[] {
  const isPdfA = step.pdf_a !== undefined
  const isPdfUa = step.pdf_ua !== undefined
  const isPart1 = step.pdf_a === '1b'
  const forPdfA = violationsOf(step.pdf_a ?? '3b')
  const forPdfUa = new Violations(pdfUa1)
  if (isPdfUa) markPages(document)
  let nesting = 0
  let nestedIn = ''
  const { fonts, texts } = walkContent(document, {
    operation(operation, _resources, place) {
      if (place !== nestedIn) nesting = 0
      nestedIn = place
      if (operation.operator === 'q') nesting += 1
      if (operation.operator === 'Q') nesting -= 1
      if (isPdfA) checkOperation(operation, nesting, forPdfA, place)
      if (isPart1) checkNumbers(operation.operands, forPdfA, place)
    },
  })
  if (isPdfA) {
    if (step.pdf_a === '3b') mendEmbeddedFiles(document)
    else if (step.pdf_a === '2b') checkNoFiles(document, forPdfA)
    checkDocument(document, forPdfA)
    checkObjects(document, forPdfA)
    if (isPart1) {
      checkPdfA1(document, forPdfA)
      mendCidSets(document, fonts.all, forPdfA)
    }
    checkFonts(fonts.all, isPart1 ? fontsOfPart1 : fontsOfLaterParts, forPdfA)
    addOutputIntent(document)
  }
  if (isPdfUa) {
    mendUnicode(document, fonts.all)
    mendStructure(document, texts)
    mendCatalog(document)
    checkStructure(document, forPdfUa)
    checkCatalog(document, forPdfUa)
    checkFonts(fonts.all, { embedding: '7.21.4.1', glyphMap: '7.21.3.2', missingGlyph: '7.21.8' }, forPdfUa)
    checkUnicode(fonts.all, forPdfUa)
  }
  claim(document, { pdfA: step.pdf_a, isPdfUa, ...further })
  return [...forPdfA.list, ...forPdfUa.list]
}

const fontsOfPart1 = { embedding: '6.3.4', glyphMap: '6.3.3.2', missingGlyph: '6.3.5' }
const fontsOfLaterParts = { embedding: '6.2.11.4.1', glyphMap: '6.2.11.3.2', missingGlyph: '6.2.11.8' }

function violationsOf(level: PdfA): Violations {
  if (level === '1b') return new Violations(pdfA1, numbersOfPart1)
  return new Violations(level === '2b' ? pdfA2 : pdfA3)
}

/** An embedded file of a PDF/A-2 must be a PDF/A itself, which is not checked here. */
function checkNoFiles({ context }: PDFDocument, found: Violations): void {
  const hasFiles = context.enumerateIndirectObjects().some(([, object]) => has(asDict(object), 'EF'))
  if (hasFiles) found.add('6.8', 5, 'the document has embedded files. Make a PDF/A-3b')
}

/** Which standards a document claims in its metadata. */
export function claims(document: PDFDocument): ConformanceStep {
  const xmp = xmpOf(document)
  const [, , part] = /pdfaid:part(>|\s*=\s*["'])\s*([123])/.exec(xmp) ?? []
  return {
    ...(part !== undefined && { pdf_a: `${part}b` as PdfA }),
    ...(/pdfuaid:part(>|\s*=\s*["'])\s*1/.test(xmp) ? { pdf_ua: '1' as const } : {}),
  }
}

/** The metadata stream of a document (ISO 32000-1, 14.3.2); empty if there is none that can be read. */
export function xmpOf({ catalog }: PDFDocument): string {
  const metadata = at(catalog, 'Metadata')
  if (!(metadata instanceof PDFRawStream)) return ''
  try {
    return Buffer.from(decoded(metadata)).toString('utf8')
  } catch {
    return ''
  }
}

function claim(document: PDFDocument, xmpClaims: XmpClaims): void {
  const { context, catalog } = document
  context.header = xmpClaims.pdfA === '1b' ? PDFHeader.forVersion(1, 4) : PDFHeader.forVersion(1, 7)
  catalog.delete(PDFName.of('Version'))
  const metadata = PDFRawStream.of(
    context.obj({ Type: 'Metadata', Subtype: 'XML' }),
    Buffer.from(buildXmp(readFacts(document), xmpClaims), 'utf8'),
  )
  set(catalog, 'Metadata', context.register(metadata))
  if (context.trailerInfo.ID === undefined) context.trailerInfo.ID = identifier(document)
}

/** A file identifier (ISO 32000-1, 14.4) from what the document says of itself, so that equal documents have equal ones. */
function identifier(document: PDFDocument): ReturnType<PDFDocument['context']['obj']> {
  const hash = createHash('sha256').update(JSON.stringify(readFacts(document)))
  for (const page of document.getPages()) hash.update(page.node.toString())
  const hex = PDFHexString.of(hash.digest('hex').slice(0, 32))
  return document.context.obj([hex, hex])
}

/** The colours of the document are sRGB (ISO 19005-3, 6.2.3). Another output intent of PDF/A is replaced. */
function addOutputIntent({ context, catalog }: PDFDocument): void {
  const profile = context.register(context.flateStream(srgbProfile(), { N: 3 }))
  const intent = context.obj({
    Type: 'OutputIntent',
    S: 'GTS_PDFA1',
    OutputConditionIdentifier: PDFString.of('sRGB'),
    Info: PDFString.of('sRGB IEC61966-2.1'),
    DestOutputProfile: profile,
  })
  set(catalog, 'OutputIntents', context.obj([context.register(intent)]))
}

function mendCatalog({ context, catalog }: PDFDocument): void {
  const preferences = dictAt(catalog, 'ViewerPreferences') ?? context.obj({})
  set(preferences, 'DisplayDocTitle', context.obj(true))
  set(catalog, 'ViewerPreferences', preferences)
  if (dictAt(catalog, 'StructTreeRoot') === undefined) return
  const mark = dictAt(catalog, 'MarkInfo') ?? context.obj({})
  set(mark, 'Marked', context.obj(true))
  set(catalog, 'MarkInfo', mark)
}

function checkCatalog(document: PDFDocument, found: Violations): void {
  const { catalog, context } = document
  if (readFacts(document).title === undefined) {
    found.add('7.1', 9, 'the document has no title. Set <title>, or the title in the metadata')
  }
  if ((textAt(catalog, 'Lang') ?? '') === '') found.add('7.2', 34, 'the document has no language. Set lang at <html>')
  if (has(dictAt(catalog, 'AcroForm'), 'XFA')) found.add('7.15', 1, 'the form is an XFA form')
  for (const [, object] of context.enumerateIndirectObjects()) {
    const dict = asDict(object)
    if (dict !== undefined && has(dict, 'EF') && (!has(dict, 'F') || !has(dict, 'UF'))) {
      found.add('7.11', 1, 'an embedded file has no name')
    }
  }
}
