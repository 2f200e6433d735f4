import type { JavascriptOption } from '@platen/shared/contracts/pdf-options.ts'
import type { DocumentTraits, FragmentTraits } from './document-traits.ts'
import { inspectDocument } from './inspect-document.ts'
import { inspectFragment } from './inspect-fragment.ts'

/** The texts of a document that decide how it is printed. */
export interface DocumentTexts {
  html: string
  headerHtml: string
  footerHtml: string
  javascript: JavascriptOption
}

export interface TextTraits {
  traits: DocumentTraits
  header: FragmentTraits
  footer: FragmentTraits
}

export function inspectTexts({ html, headerHtml, footerHtml, javascript }: DocumentTexts): TextTraits {
  return {
    traits: inspectDocument(html, { javascript }),
    header: inspectFragment(headerHtml),
    footer: inspectFragment(footerHtml),
  }
}
