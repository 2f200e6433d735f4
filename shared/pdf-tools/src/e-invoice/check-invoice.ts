import type { EInvoiceStep } from '@platen/domain/document/output-options.ts'
import { profiles } from './profiles.ts'
import { readXml, type XmlElement, XmlProblem } from './read-xml.ts'

const crossIndustryInvoice = 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100'

/**
 * What makes the XML no invoice of the profile: it is not well-formed, has another root, or names another specification
 * (BT-24). Its schema and its business rules are not checked. Undefined if there is nothing wrong.
 */
export function invoiceProblem({ profile, xml }: Pick<EInvoiceStep, 'profile' | 'xml'>): string | undefined {
  const root = readOrProblem(xml)
  if (typeof root === 'string') return `e_invoice.xml is not well-formed: ${root}`
  if (root.name !== 'CrossIndustryInvoice' || root.namespace !== crossIndustryInvoice) {
    return `e_invoice.xml has the root ${root.name}; it must be CrossIndustryInvoice of the namespace ${crossIndustryInvoice}`
  }
  const guideline = textOf(root, ['ExchangedDocumentContext', 'GuidelineSpecifiedDocumentContextParameter', 'ID'])
  if (guideline === undefined)
    return 'e_invoice.xml names no specification in GuidelineSpecifiedDocumentContextParameter'
  if (profiles[profile].guidelines.some((pattern) => pattern.test(guideline))) return undefined
  return `e_invoice.xml names a specification (BT-24) that is not that of the profile ${profile}`
}

function readOrProblem(xml: string): XmlElement | string {
  try {
    return readXml(xml)
  } catch (err) {
    if (err instanceof XmlProblem) return err.message
    throw err
  }
}

function textOf(element: XmlElement, path: readonly string[]): string | undefined {
  let found: XmlElement | undefined = element
  for (const name of path) found = found?.children.find((child) => child.name === name)
  return found?.text.trim()
}
