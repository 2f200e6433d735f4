import { type PDFDict, PDFRef } from '@cantoo/pdf-lib'
import { name, textIn } from './entries.ts'

/** Fields of the document information dictionary that XMP has under names of its own (ISO 32000-2, table 349). */
const standard = new Set([
  'Title',
  'Author',
  'Subject',
  'Keywords',
  'Creator',
  'Producer',
  'CreationDate',
  'ModDate',
  'Trapped',
])

/** Writes the document information as XMP (ISO 16684-1), in the place of what there was. */
export function writeXmp(catalog: PDFDict, info: PDFDict): void {
  const { context } = catalog
  const bytes = new TextEncoder().encode(xmpOf(info))
  const stream = context.stream(bytes, { Type: 'Metadata', Subtype: 'XML' })
  const old = catalog.get(name('Metadata'))
  if (old instanceof PDFRef) context.assign(old, stream)
  else catalog.set(name('Metadata'), context.register(stream))
}

function xmpOf(info: PDFDict): string {
  const text = (key: string) => {
    const value = textIn(info, key)?.trim()
    return value === undefined || value === '' ? undefined : escaped(value)
  }
  const element = (tag: string, value: string | undefined) =>
    value === undefined ? '' : `   <${tag}>${value}</${tag}>\n`
  const language = (tag: string, value: string | undefined) =>
    element(tag, value && `<rdf:Alt><rdf:li xml:lang="x-default">${value}</rdf:li></rdf:Alt>`)
  const author = text('Author')
  const own = info.keys().flatMap((key) => {
    const field = key.decodeText()
    const isName = /^[A-Za-z_][\w.-]*$/.test(field)
    return standard.has(field) || !isName ? [] : element(`pdfx:${field}`, text(field))
  })
  const date = (key: string) => xmpDate(textIn(info, key))
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:pdfx="http://ns.adobe.com/pdfx/1.3/">
   <dc:format>application/pdf</dc:format>
${language('dc:title', text('Title'))}${element('dc:creator', author && `<rdf:Seq><rdf:li>${author}</rdf:li></rdf:Seq>`)}${language('dc:description', text('Subject'))}${element('pdf:Keywords', text('Keywords'))}${element('pdf:Producer', text('Producer'))}${element('xmp:CreatorTool', text('Creator'))}${element('xmp:CreateDate', date('CreationDate'))}${element('xmp:ModifyDate', date('ModDate'))}${own.join('')}  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>`
}

/** ISO 32000-2, 7.9.4, as ISO 8601. Undefined if it is no date. */
function xmpDate(date: string | undefined): string | undefined {
  const match = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-]\d\d)'?(\d\d)?)?/.exec(date ?? '')
  if (!match) return undefined
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', , zone, minutes = '00'] = match
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${zone ? `${zone}:${minutes}` : 'Z'}`
}

function escaped(text: string): string {
  const allowed = text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
  return allowed.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
