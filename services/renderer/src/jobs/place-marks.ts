import type { Warning } from '@platen/foundation/errors/warning.ts'
import type { TemplateEngine, TemplateJob } from '@platen/templating/handlebars/engine.ts'
import { partialSource } from '@platen/templating/handlebars/template-problem.ts'
import type { Filled } from '@platen/templating/handlebars/worker-protocol.ts'
import { placeComment } from '../print/warning-pages.ts'

// A template does not tell where in its output a warning is. So it is filled once more with a mark before each expression that has
// a warning. Marks are noncharacters, which no document has.

const mark = (index: number) => `\uFDD0${index}\uFDD1`
const marks = /\uFDD0(\d+)\uFDD1/g

/**
 * The HTML of a filled template, with a comment at the first place that each warning is about. Undefined if no warning has a place
 * in the body or a partial, or if the marks would change more than that.
 */
export async function withMarks(
  job: TemplateJob,
  { texts: { html = '' }, warnings }: Filled,
  engine: Pick<TemplateEngine, 'render'>,
): Promise<string | undefined> {
  const { html: source = '' } = job.sources
  const body = withSourceMarks(source, 'html', warnings)
  const partials = Object.entries(job.partials ?? {}).map(([name, text]) => {
    return [name, withSourceMarks(text, partialSource(name), warnings)] as const
  })
  const isMarked = body !== source || partials.some(([name, text]) => text !== job.partials?.[name])
  if (!isMarked || html.includes('\uFDD0')) return undefined
  try {
    const marked = await engine.render({ ...job, sources: { html: body }, partials: Object.fromEntries(partials) })
    const { html: found = '' } = marked.texts
    // White space beside a mark may have been kept that is removed without it.
    return found.replaceAll(marks, '') === html ? withComments(found) : undefined
  } catch {
    return undefined
  }
}

/** The source with a mark before each expression that has a warning. A missing value has it only where it is missing. */
function withSourceMarks(source: string, name: string, warnings: readonly Warning[]): string {
  const starts = lineStarts(source)
  const inserts = warnings.flatMap(({ code, source: of, line, column }, index) => {
    const start = line === undefined ? undefined : starts[line - 1]
    if (of !== name || start === undefined || column === undefined) return []
    const at = start + column - 1
    const place = placeBefore(source, at, start)
    if (place === undefined) return []
    const path = code === 'MISSING_VALUE' ? pathAt(source, at) : undefined
    return [{ place, text: path === undefined ? mark(index) : `{{#unless ${path}}}${mark(index)}{{/unless}}` }]
  })
  let marked = source
  for (const { place, text } of inserts.toSorted((one, other) => other.place - one.place)) {
    marked = marked.slice(0, place) + text + marked.slice(place)
  }
  return marked
}

/** Lines end as in Handlebars. */
function lineStarts(source: string): number[] {
  return [0, ...Array.from(source.matchAll(/\r\n?|\n/g), ({ index, 0: end }) => index + end.length)]
}

/** Before the mustache around a place; before the line of a block that is alone on its line, which Handlebars removes. */
function placeBefore(source: string, at: number, lineStart: number): number | undefined {
  let open = source.lastIndexOf('{{', at)
  if (open === -1) return undefined
  while (source[open - 1] === '{') open--
  const isAlone = /^\{\{[#^]/.test(source.slice(open, open + 3)) && source.slice(lineStart, open).trim() === ''
  if (!isAlone) return open
  if (lineStart === 0) return undefined
  return source.startsWith('\r\n', lineStart - 2) ? lineStart - 2 : lineStart - 1
}

const pathAt = (source: string, at: number) =>
  /^(?:\[[^\]]*\]|[^\s(){}|=~"'[])+/.exec(source.slice(at, at + 1_000))?.[0]

/** Comments, elements whose content is text, and tags. It always matches up to the end of one, so that it takes linear time. */
const wholes =
  /<!--[\s\S]*?(?:-->|$)|<(script|style|title|textarea|noscript|iframe|xmp)\b[\s\S]*?(?:<\/\1\s*>|$)|<[a-z/!?](?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^'">]+)*(?:>|$)/gi

/** Replaces the first mark of each warning with a comment, and removes the others. Marks in a tag are moved before it. */
function withComments(html: string): string {
  const seen = new Set<string>()
  const comments = (text: string) =>
    Array.from(text.matchAll(marks), ([, index = '']) => {
      if (seen.has(index)) return ''
      seen.add(index)
      return placeComment(index)
    }).join('')
  const replaced = (text: string) => text.replaceAll(marks, (found) => comments(found))
  let result = ''
  let end = 0
  for (const { index, 0: whole } of html.matchAll(wholes)) {
    result += replaced(html.slice(end, index))
    result += whole.includes('\uFDD0') ? comments(whole) + whole.replaceAll(marks, '') : whole
    end = index + whole.length
  }
  return result + replaced(html.slice(end))
}
