import { translateAssets } from './asset-tags.ts'
import { translateChildren } from './child-templates.ts'
import type { References, Source } from './source.ts'

/** What has no counterpart, wherever it stands. */
const unknown: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/\$pdf\b/, '$pdf of pdf-utils is not known; data-platen-pages and {{pageNumberOf}} may do the same'],
  [/\{\{\{?#?\s*pdf(?:CreatePagesGroup|AddPageItem|FormField|Dest)\b/, 'helpers of pdf-utils are not known'],
  [/\{\{\{?\s*localize\b/, '{{localize}} is not known; write {{t}}, with translations in the template'],
  [/\{\{\{?\s*module\b/, '{{module}} is not known; store the script as an asset'],
  [/(?<!\{)\{#(?!asset |child )[a-z]\w*/, 'of the tags {#…}, only {#asset} and {#child} are known'],
  [/\bchildTemplateSerializeData\b/, 'data of {#child} from childTemplateSerializeData are not taken'],
  [/\bJSREPORT_CHROME_PDF_OPTIONS\b/, 'options of Chrome that a script sets are not taken'],
]

/** A source of jsreport as one of Platen. What cannot be translated stays as it is, with a remark. */
export function translateSource(source: Source, references: References): string {
  const { engine, entity } = source
  const escaped = engine === 'none' ? source.text.replaceAll('{{', '\\{{') : source.text
  let text = translateAssets(escaped, source, references)
  if (engine !== 'css') text = translateChildren(text, source, references)
  if (engine === 'handlebars') text = text.replace(/\{\{\{?\s*toJS\s+([^\s{}]+)\s*\}?\}\}/g, '{{{json $1}}}')
  for (const [pattern, reason] of unknown) if (pattern.test(text)) references.remarks.left(entity, reason)
  return text
}
