import t from 'tap'
import { invoiceProblem } from './check-invoice.ts'

const namespace = 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100'
const invoice = (guideline: string, more = '') =>
  `<?xml version="1.0"?><!-- c --><r:CrossIndustryInvoice xmlns:r="${namespace}" xmlns:a="urn:a">${more}
  <r:ExchangedDocumentContext><a:GuidelineSpecifiedDocumentContextParameter><a:ID>${guideline}</a:ID>
  </a:GuidelineSpecifiedDocumentContextParameter></r:ExchangedDocumentContext></r:CrossIndustryInvoice>`
const problem = (xml: string) => invoiceProblem({ profile: 'en16931', xml })

t.test('an invoice names the specification of its profile', async (t) => {
  t.equal(problem(invoice('urn:cen.eu:en16931:2017')), undefined)
  t.match(problem(invoice('urn:factur-x.eu:1p0:minimum')), /not that of the profile en16931/)
  const xrechnung = 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0'
  t.equal(invoiceProblem({ profile: 'xrechnung', xml: invoice(xrechnung) }), undefined)
  t.match(problem('<Invoice/>'), /has the root Invoice/)
})

t.test('an invoice is well-formed, and declares no entities', async (t) => {
  for (const [xml, message] of [
    [invoice('x', '<a:b>'), /<\/r:CrossIndustryInvoice> closes <a:b>/],
    [invoice('x', 'Müller & Sohn'), /& is no entity/],
    [invoice('x', '<c:d/>'), /prefix c has no namespace/],
    [invoice('x', '<a:b x="1" x="2"/>'), /twice/],
    [`<!DOCTYPE a [<!ENTITY b "c">]>${invoice('x')}`, /document type declaration/],
    [`${invoice('x')}<a/>`, /second root/],
    ['', /no element/],
    ['<a>'.repeat(200), /100 deep/],
  ] as const) {
    t.match(problem(xml), message)
  }
  t.match(problem('<a>\n\n<b></a>'), /line 3/)
})
