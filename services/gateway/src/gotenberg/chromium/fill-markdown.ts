import { refuse } from '../answers/refused.ts'
import type { FormFile } from '../form/form.ts'

/** Of all Markdown of a request. */
const maxMarkdownBytes = 5 * 2 ** 20
/** A file may be in several places. */
const maxFilledChars = 2 * maxMarkdownBytes

/** The HTML of each text. */
export type ConvertMarkdown = (texts: string[]) => Promise<string[]>

/** `{{ toHTML "file.md" }}`, with the spaces and trim marks that Go's templates allow. */
const call = /\{\{-?\s*toHTML\s+"([^"]*)"\s*-?\}\}/g

/**
 * Puts the HTML of Markdown files in the places where `index.html` calls `toHTML`. Other actions of Go's templates are
 * refused.
 */
export async function fillMarkdown(
  html: string,
  files: readonly FormFile[],
  convert: ConvertMarkdown,
): Promise<string> {
  const names = [...html.matchAll(call)].map(([, name = '']) => name)
  const byName = new Map(files.map(({ name, bytes }) => [name, bytes.toString()]))
  const missing = [...new Set(names)].filter((name) => !byName.has(name))
  if (missing.length > 0) {
    refuse(400, `Markdown file(s) not found: ${missing.map((name) => `'${name}'`).join('\n')}`)
  }
  const rest = html.replace(call, '')
  const begin = rest.indexOf('{{')
  if (begin >= 0 && rest.indexOf('}}', begin) >= 0) {
    refuse(400, `index.html may only call toHTML, as in {{ toHTML "file.md" }}, not ${rest.slice(begin, begin + 100)}`)
  }
  const wanted = [...new Set(names)]
  const texts = wanted.map((name) => byName.get(name) ?? '')
  if (texts.join('').length > maxMarkdownBytes)
    refuse(413, `The Markdown is larger than ${maxMarkdownBytes / 2 ** 20} MiB`)
  const converted = new Map((await convert(texts)).map((text, index) => [wanted[index], text]))
  const filled = names.reduce((sum, name) => sum + (converted.get(name)?.length ?? 0), html.length)
  if (filled > maxFilledChars) refuse(413, `The filled HTML is larger than ${maxFilledChars / 2 ** 20} MiB`)
  return html.replace(call, (_, name: string) => converted.get(name) ?? '')
}
