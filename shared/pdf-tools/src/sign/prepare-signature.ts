import {
  PDFArray,
  type PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFPage,
  type PDFRef,
  PDFString,
} from '@cantoo/pdf-lib'
import type { SignStep } from '@platen/domain/document/output-options.ts'
import { addAnnotationElement } from '../conformance/annotation-element.ts'
import { claims } from '../conformance/conform.ts'
import { arrayAt, dictAt, numberAt, set, textAt } from '../conformance/pdf-objects.ts'
import { refuse } from '../task/pdf-tool-failed.ts'
import type { FontFile } from '../task/task.ts'
import { placeholderBytes } from './byte-range.ts'
import { addAppearance } from './signature-appearance.ts'

/**
 * Adds a signature without its value as an incremental update (ISO 32000-1, 7.5.6 and 12.8), so that earlier signatures stay
 * valid. `completeSignature` writes the value. Throws PdfToolFailed: invalid.
 */
export async function prepareSignature(
  pdf: Uint8Array,
  step: SignStep,
  { signer, fonts, signedAt }: { signer: string; fonts?: readonly FontFile[] | undefined; signedAt: Date },
): Promise<Uint8Array> {
  const document = await PDFDocument.load(pdf, { updateMetadata: false, forIncrementalUpdate: true })
  const { context } = document
  const page = pageOf(document, step)
  const value = context.obj({
    Type: 'Sig',
    Filter: 'Adobe.PPKLite',
    SubFilter: 'ETSI.CAdES.detached',
    // Names of the length of the numbers that replace them.
    ByteRange: [0, ...Array.from({ length: 3 }, () => PDFName.of('**********'))],
    Contents: PDFHexString.of('0'.repeat(2 * placeholderBytes)),
    M: PDFString.fromDate(signedAt),
    ...(step.reason === undefined ? {} : { Reason: PDFHexString.fromText(step.reason) }),
    ...(step.location === undefined ? {} : { Location: PDFHexString.fromText(step.location) }),
  })
  const form = formOf(document)
  const fields = arrayAt(form, 'Fields')
  const widget = context.obj({
    Type: 'Annot',
    Subtype: 'Widget',
    FT: 'Sig',
    T: PDFString.of(unusedName(fields)),
    TU: PDFHexString.fromText(`Signature of ${signer}`),
    F: printed | locked,
    Rect: [0, 0, 0, 0],
    P: page.ref,
    V: context.register(value),
  })
  const ref = context.register(widget)
  const claimed = claims(document)
  if (claimed.pdf_a === '1b') {
    refuse('invalid', 'The PDF claims PDF/A-1, to which no signature is added. Make a PDF/A-2b or -3b')
  }
  if (step.visible !== undefined) {
    if (!fonts?.length && (claimed.pdf_a !== undefined || claimed.pdf_ua !== undefined)) {
      refuse(
        'invalid',
        'This deployment has no font for a visible signature in a PDF that claims PDF/A or PDF/UA. Leave out sign.visible',
      )
    }
    await addAppearance(document, widget, page, { ...step, visible: step.visible, signer, fonts, signedAt })
  }
  fields?.push(ref)
  set(form, 'SigFlags', PDFNumber.of((numberAt(form, 'SigFlags') ?? 0) | 3))
  addToPage(page, ref)
  addAnnotationElement(document, { type: 'Form', dict: widget, ref, page: page.ref })
  return document.save({ useObjectStreams: true, addDefaultPage: false, updateFieldAppearances: false })
}

const printed = 4
const locked = 128

function pageOf(document: PDFDocument, { visible }: SignStep): PDFPage {
  const number = visible?.page ?? 1
  const page = document.getPages()[number - 1]
  return page ?? refuse('invalid', `sign.visible.page is ${number}, and the PDF has ${document.getPageCount()} pages`)
}

/** The form of the document, which gets one if it has none. */
function formOf({ context, catalog }: PDFDocument): PDFDict {
  const form = dictAt(catalog, 'AcroForm') ?? context.obj({})
  if (dictAt(catalog, 'AcroForm') === undefined) set(catalog, 'AcroForm', context.register(form))
  if (arrayAt(form, 'Fields') === undefined) set(form, 'Fields', context.obj([]))
  return form
}

function unusedName(fields: PDFArray | undefined): string {
  const names = new Set<string | undefined>()
  for (let index = 0; fields !== undefined && index < fields.size(); index++) {
    const field = fields.lookup(index)
    names.add(
      field !== undefined && 'lookup' in field && !(field instanceof PDFArray)
        ? textAt(field as PDFDict, 'T')
        : undefined,
    )
  }
  let number = 1
  while (names.has(`Signature${number}`)) number += 1
  return `Signature${number}`
}

function addToPage(page: PDFPage, ref: PDFRef): void {
  const annotations = arrayAt(page.node, 'Annots')
  const all = annotations === undefined ? [] : annotations.asArray()
  set(page.node, 'Annots', page.doc.context.obj([...all, ref]))
  set(page.node, 'Tabs', PDFName.of('S'))
}
