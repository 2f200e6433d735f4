import { TemplateProblem } from '../handlebars/template-problem.ts'
import { type LoadedUrl, loadedUrls } from './loaded-urls.ts'
import { pageChoiceProblems } from './page-choice.ts'
import { urlKind } from './url-kind.ts'

/** A reference of a header or footer that Chromium does not load. */
export interface MarginProblem {
  url: string
  /** An offset in the source. */
  at: number
  reason: string
}

const maxProblems = 20

/** `isAsset`: whether the URL is that of an asset, which is put into the header as a `data:` URL. */
export function marginProblems(html: string, isAsset: (url: string) => boolean): MarginProblem[] {
  if (html === '') return []
  const problems = new Map<string, MarginProblem>()
  for (const found of loadedUrls(html)) {
    const reason = reasonOf(found, isAsset)
    if (reason !== undefined && !problems.has(found.url))
      problems.set(found.url, { url: found.url, at: found.at, reason })
    if (problems.size === maxProblems) break
  }
  return [...problems.values()]
}

function reasonOf({ url, kind }: LoadedUrl, isAsset: (url: string) => boolean): string | undefined {
  const where = 'Chromium loads nothing in headers and footers'
  // Data complete it.
  if (url.includes('{{')) return undefined
  if (kind === 'font')
    return 'Chromium loads no fonts in headers and footers; use an installed font, or @page margin boxes'
  if (urlKind(url) !== 'outside' || isAsset(url)) return undefined
  if (kind === 'sheet' || kind === 'import') {
    return `${where}; put the rules into a <style>, or upload the style sheet and write asset:<name>.css`
  }
  return `${where}; upload it and write asset:<name>, or use a data: URL`
}

/**
 * Throws TEMPLATE_RENDER_ERROR, with the place, for what the source of a header or footer cannot load whatever its data, and for
 * a choice of pages that cannot be read.
 */
export function checkMarginSource(source: string, name: string, isAsset: (url: string) => boolean): void {
  const html = withoutMustaches(source)
  const [unloadable] = marginProblems(html, isAsset)
  const [unreadable] = pageChoiceProblems(html)
  if (unloadable) {
    fail(`${unloadable.url.slice(0, 200)} cannot be loaded: ${unloadable.reason}`, { source, name, at: unloadable.at })
  }
  if (unreadable) fail(unreadable.message, { source, name, at: unreadable.at })
}

function fail(message: string, { source, name, at }: { source: string; name: string; at: number }): never {
  const before = source.slice(0, at).split('\n')
  const position = { line: before.length, column: before.at(-1)?.length ?? 0 }
  throw new TemplateProblem('TEMPLATE_RENDER_ERROR', message, position).inSource(source, name)
}

/** Comments as spaces, and in other mustaches no character that HTML would read. The length stays. */
function withoutMustaches(source: string): string {
  return source
    .replace(/\{\{~?!--[\s\S]{0,10000}?--~?\}\}/g, (comment) => ' '.repeat(comment.length))
    .replace(/\{\{~?![\s\S]{0,10000}?\}\}/g, (comment) => ' '.repeat(comment.length))
    .replace(/\{\{[\s\S]{0,2000}?\}\}/g, (mustache) => mustache.replace(/["'<>=]/g, ' '))
}
