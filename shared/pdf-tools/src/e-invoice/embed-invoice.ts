import { AFRelationship, type PDFDocument } from '@cantoo/pdf-lib'
import type { EInvoiceStep } from '@platen/domain/document/output-options.ts'
import { claims, conform, type FurtherMetadata } from '../conformance/conform.ts'
import type { Violation } from '../conformance/violation.ts'
import { escapeXml, extensionSchema } from '../conformance/xmp.ts'
import { profiles } from './profiles.ts'

/**
 * Embeds an invoice in UN/CEFACT CII, so that the document is a Factur-X 1.0, which is ZUGFeRD 2: a PDF/A-3b with the file
 * `factur-x.xml` (`xrechnung.xml` in the profile XRECHNUNG), and metadata that name it. A document that claims PDF/UA-1
 * keeps the claim. Returns the rules of PDF/A that are broken.
 */
export async function embedInvoice(
  document: PDFDocument,
  { profile, xml }: EInvoiceStep,
  modifiedAt: Date,
): Promise<Violation[]> {
  const { fileName, level, relationship } = profiles[profile]
  document.detach(fileName)
  await document.attach(Buffer.from(xml, 'utf8'), fileName, {
    mimeType: 'text/xml',
    description: 'Factur-X invoice',
    afRelationship: relationship === 'data' ? AFRelationship.Data : AFRelationship.Alternative,
    creationDate: modifiedAt,
    modificationDate: modifiedAt,
  })
  await document.flush()
  return conform(document, { ...claims(document), pdf_a: '3b' }, facturX(fileName, level))
}

const namespace = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#'

/** The metadata of Factur-X 1.0, 6.2.2, with the description of their schema. */
function facturX(fileName: string, level: string): FurtherMetadata {
  const values = { DocumentType: 'INVOICE', DocumentFileName: fileName, Version: '1.0', ConformanceLevel: level }
  const elements = Object.entries(values).map(([name, text]) => `<fx:${name}>${escapeXml(text)}</fx:${name}>`)
  return {
    descriptions: [`<rdf:Description rdf:about="" xmlns:fx="${namespace}">${elements.join('')}</rdf:Description>`],
    schemas: [
      extensionSchema({
        name: 'Factur-X PDFA Extension Schema',
        namespace,
        prefix: 'fx',
        properties: [
          text('DocumentFileName', 'The name of the embedded XML document'),
          text('DocumentType', 'The type of the hybrid document in capital letters, e.g. INVOICE or ORDER'),
          text('Version', 'The actual version of the standard applying to the embedded XML document'),
          text('ConformanceLevel', 'The conformance level of the embedded XML document'),
        ],
      }),
    ],
  }
}

function text(name: string, meaning: string) {
  return { name, type: 'Text' as const, category: 'external' as const, meaning }
}
