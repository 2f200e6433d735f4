import type { PDFDict, PDFDocument } from '@cantoo/pdf-lib'
import { asDict, textAt } from './pdf-objects.ts'

/** What XMP says of a document. Dates are those of the document information, as they are written there. */
export interface DocumentFacts {
  title?: string | undefined
  author?: string | undefined
  subject?: string | undefined
  keywords?: string | undefined
  creator?: string | undefined
  producer?: string | undefined
  createdAt?: string | undefined
  modifiedAt?: string | undefined
}

/** The document information dictionary (ISO 32000-1, 14.3.3). */
export function readFacts({ context }: PDFDocument): DocumentFacts {
  const info: PDFDict | undefined = asDict(context.lookup(context.trailerInfo.Info))
  const text = (key: string) => textAt(info, key)?.trim() || undefined
  return {
    title: text('Title'),
    author: text('Author'),
    subject: text('Subject'),
    keywords: text('Keywords'),
    creator: text('Creator'),
    producer: text('Producer'),
    createdAt: isoDate(text('CreationDate')),
    modifiedAt: isoDate(text('ModDate')),
  }
}

/** What a document claims to be, and further `rdf:Description` elements with the descriptions of their schemas. */
export interface XmpClaims {
  pdfA: '1b' | '2b' | '3b' | undefined
  isPdfUa: boolean
  descriptions?: readonly string[]
  schemas?: readonly string[]
}

/** An XMP packet (ISO 16684-1) that agrees with the document information, as PDF/A demands. */
export function buildXmp(facts: DocumentFacts, { pdfA, isPdfUa, descriptions = [], schemas = [] }: XmpClaims): string {
  const described = pdfA ? [...(isPdfUa ? [pdfUaSchema] : []), ...schemas] : []
  const dublinCore = [
    '<dc:format>application/pdf</dc:format>',
    element('dc:title', facts.title, (text) => alternative(text)),
    element('dc:creator', facts.author, (text) => `<rdf:Seq><rdf:li>${text}</rdf:li></rdf:Seq>`),
    element('dc:description', facts.subject, (text) => alternative(text)),
  ]
  const xmp = [
    element('xmp:CreatorTool', facts.creator),
    element('xmp:CreateDate', facts.createdAt),
    element('xmp:ModifyDate', facts.modifiedAt),
    element('xmp:MetadataDate', facts.modifiedAt),
  ]
  const pdf = [element('pdf:Producer', facts.producer), element('pdf:Keywords', facts.keywords)]
  const parts = [
    description('dc', 'http://purl.org/dc/elements/1.1/', dublinCore),
    description('xmp', 'http://ns.adobe.com/xap/1.0/', xmp),
    description('pdf', 'http://ns.adobe.com/pdf/1.3/', pdf),
    ...(pdfA ? [description('pdfaid', pdfAId, identification(pdfA))] : []),
    ...(isPdfUa ? [description('pdfuaid', pdfUaId, ['<pdfuaid:part>1</pdfuaid:part>'])] : []),
    ...descriptions,
    ...(described.length > 0 ? [extensionSchemas(described)] : []),
  ]
  return [
    '<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/">',
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    ...parts,
    '</rdf:RDF>',
    '</x:xmpmeta>',
    '<?xpacket end="w"?>',
  ].join('\n')
}

const identification = (level: string) => [
  `<pdfaid:part>${level[0]}</pdfaid:part>`,
  '<pdfaid:conformance>B</pdfaid:conformance>',
]
const pdfAId = 'http://www.aiim.org/pdfa/ns/id/'
const pdfUaId = 'http://www.aiim.org/pdfua/ns/id/'

function element(name: string, text: string | undefined, wrap = (escaped: string) => escaped): string {
  return text === undefined ? '' : `<${name}>${wrap(escapeXml(text))}</${name}>`
}

const alternative = (text: string) => `<rdf:Alt><rdf:li xml:lang="x-default">${text}</rdf:li></rdf:Alt>`

function description(prefix: string, namespace: string, properties: readonly string[]): string {
  return `<rdf:Description rdf:about="" xmlns:${prefix}="${namespace}">${properties.join('')}</rdf:Description>`
}

/** Without the characters that XML 1.0 cannot have. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
}

export interface ExtensionSchema {
  name: string
  namespace: string
  prefix: string
  properties: readonly { name: string; type: 'Text' | 'Integer'; category: 'external' | 'internal'; meaning: string }[]
}

/** The description of a schema that PDF/A does not know (ISO 19005-3, 6.6.2.3.2). */
export function extensionSchema({ name, namespace, prefix, properties }: ExtensionSchema): string {
  const items = properties.map(
    (property) =>
      `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${property.name}</pdfaProperty:name>` +
      `<pdfaProperty:valueType>${property.type}</pdfaProperty:valueType>` +
      `<pdfaProperty:category>${property.category}</pdfaProperty:category>` +
      `<pdfaProperty:description>${property.meaning}</pdfaProperty:description></rdf:li>`,
  )
  return (
    `<rdf:li rdf:parseType="Resource"><pdfaSchema:schema>${name}</pdfaSchema:schema>` +
    `<pdfaSchema:namespaceURI>${namespace}</pdfaSchema:namespaceURI><pdfaSchema:prefix>${prefix}</pdfaSchema:prefix>` +
    `<pdfaSchema:property><rdf:Seq>${items.join('')}</rdf:Seq></pdfaSchema:property></rdf:li>`
  )
}

/** All descriptions of schemas are in one bag. */
function extensionSchemas(schemas: readonly string[]): string {
  return (
    '<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" ' +
    'xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">' +
    `<pdfaExtension:schemas><rdf:Bag>${schemas.join('')}</rdf:Bag></pdfaExtension:schemas></rdf:Description>`
  )
}

/** The schema of the identifier of PDF/UA (ISO 14289-1, 5). */
const pdfUaSchema = extensionSchema({
  name: 'PDF/UA identification schema',
  namespace: pdfUaId,
  prefix: 'pdfuaid',
  properties: [{ name: 'part', type: 'Integer', category: 'internal', meaning: 'Part of ISO 14289' }],
})

/** `D:20260131120000+01'00'` (ISO 32000-1, 7.9.4) in ISO 8601. Undefined if it is no date. */
function isoDate(date: string | undefined): string | undefined {
  const parts = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:Z|([+-])(\d\d)'?(\d\d)?'?)?/.exec(date ?? '')
  if (parts === null) return undefined
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', sign, hours, minutes = '00'] =
    parts
  const zone = sign === undefined ? 'Z' : `${sign}${hours}:${minutes}`
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`
}
