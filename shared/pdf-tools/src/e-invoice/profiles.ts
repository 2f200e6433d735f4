import type { EInvoiceStep } from '@platen/domain/document/output-options.ts'

export interface InvoiceProfile {
  fileName: 'factur-x.xml' | 'xrechnung.xml'
  /** `fx:ConformanceLevel` of the metadata. */
  level: string
  /** The XML of the two smallest profiles has less than the pages, so that it is no alternative to them. */
  relationship: 'data' | 'alternative'
  /** The specification identifiers (BT-24) that the XML may have. */
  guidelines: readonly RegExp[]
}

const en16931 = 'urn:cen.eu:en16931:2017'
const exactly = (text: string) => new RegExp(`^${text.replace(/[.#]/g, '\\$&')}$`)

/** The profiles of Factur-X 1.0, and XRechnung as a profile of ZUGFeRD 2. */
export const profiles: Readonly<Record<EInvoiceStep['profile'], InvoiceProfile>> = {
  minimum: {
    fileName: 'factur-x.xml',
    level: 'MINIMUM',
    relationship: 'data',
    guidelines: [exactly('urn:factur-x.eu:1p0:minimum')],
  },
  'basic-wl': {
    fileName: 'factur-x.xml',
    level: 'BASIC WL',
    relationship: 'data',
    guidelines: [exactly('urn:factur-x.eu:1p0:basicwl')],
  },
  basic: {
    fileName: 'factur-x.xml',
    level: 'BASIC',
    relationship: 'alternative',
    guidelines: [exactly(`${en16931}#compliant#urn:factur-x.eu:1p0:basic`)],
  },
  en16931: {
    fileName: 'factur-x.xml',
    level: 'EN 16931',
    relationship: 'alternative',
    guidelines: [exactly(en16931)],
  },
  extended: {
    fileName: 'factur-x.xml',
    level: 'EXTENDED',
    relationship: 'alternative',
    guidelines: [exactly(`${en16931}#conformant#urn:factur-x.eu:1p0:extended`)],
  },
  xrechnung: {
    fileName: 'xrechnung.xml',
    level: 'XRECHNUNG',
    relationship: 'alternative',
    guidelines: [/^urn:cen\.eu:en16931:2017#compliant#urn:(xeinkauf|xoev-de:kosit)[^\s]*xrechnung_\d\.\d$/],
  },
}
