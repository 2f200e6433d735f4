import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { escapeHtml } from './escape-html.ts'
import type { SeenPage, Verdict } from './support/check-document.ts'
import { drawDifference } from './support/compare-pages.ts'

/** Writes pictures as verdicts come, and the page that shows them at the end. */
export interface Report {
  add(verdict: Verdict): Promise<void>
  /** Gives the path of the page. */
  finish(summary: string): Promise<string>
}

export async function openReport(folder: string): Promise<Report> {
  const pictures = join(folder, 'pictures')
  await rm(pictures, { recursive: true, force: true })
  await mkdir(pictures, { recursive: true })
  const sections: { verdict: Verdict; html: string }[] = []
  let written = 0
  return {
    async add({ seen, ...verdict }) {
      const figures: string[] = []
      for (const page of seen) figures.push(await writePage(pictures, `${++written}`, page))
      sections.push({ verdict: { ...verdict, seen: [] }, html: sectionHtml(verdict, figures) })
    },
    async finish(summary) {
      const path = join(folder, 'report.html')
      await writeFile(
        path,
        pageHtml(
          summary,
          sections.toSorted((a, b) => compareNames(a.verdict, b.verdict)),
        ),
      )
      return path
    },
  }
}

const compareNames = (a: Verdict, b: Verdict) => (a.name < b.name ? -1 : 1)

async function writePage(folder: string, name: string, { number, plain, platen }: SeenPage): Promise<string> {
  const pictures = {
    plain: plain?.picture,
    Platen: platen?.picture,
    difference: plain?.picture && platen?.picture && drawDifference(plain.picture, platen.picture),
  }
  const shown: string[] = []
  for (const [title, canvas] of Object.entries(pictures)) {
    if (!canvas) {
      shown.push(`<figure><figcaption>${title}</figcaption>no such page</figure>`)
      continue
    }
    const file = `${name}-${title.toLowerCase()}.png`
    await writeFile(join(folder, file), await canvas.encode('png'))
    shown.push(`<figure><figcaption>${title}</figcaption><img src="pictures/${file}" loading="lazy" alt=""></figure>`)
  }
  return `<h3>Page ${number}</h3><div class="pictures">${shown.join('')}</div>`
}

type Described = Omit<Verdict, 'seen'>

function sectionHtml(verdict: Described, figures: readonly string[]): string {
  if (verdict.outcome !== 'different') return ''
  const rows = verdict.differences.map(
    ({ aspect, page, plain, platen }) =>
      `<tr><td>${aspect}<td>${page ?? ''}<td>${escapeHtml(plain)}<td>${escapeHtml(platen)}`,
  )
  const warnings = verdict.warnings.map((warning) => `<li>${escapeHtml(warning)}`)
  return `<section id="${escapeHtml(verdict.name)}"><h2>${linkTo(verdict)}</h2>
<p>${verdict.differing} of Platen's renderings differ.</p>
<table><tr><th>aspect<th>page<th>plain Chromium<th>Platen${rows.join('')}</table>
<ul>${warnings.join('')}</ul>${figures.join('')}</section>`
}

function linkTo({ name }: Described): string {
  const url = /^https?:/.test(name) ? name : pathToFileURL(name).href
  return `<a href="${escapeHtml(url)}">${escapeHtml(name)}</a>`
}

function rowHtml(verdict: Described): string {
  const { name, outcome, pages, differences, warnings, error } = verdict
  const title =
    outcome === 'different' ? `<a href="#${encodeURIComponent(name)}">${escapeHtml(name)}</a>` : escapeHtml(name)
  const what = error ?? differences.map(({ aspect }) => aspect).join(', ')
  return `<tr class="${outcome}"><td>${title}<td>${outcome}<td>${pages}<td>${escapeHtml(what)}<td>${warnings.length}`
}

function pageHtml(summary: string, sections: readonly { verdict: Described; html: string }[]): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Platen beside plain Chromium</title>
<style>
  body { font: 14px/1.4 sans-serif; margin: 24px }
  table { border-collapse: collapse; margin: 8px 0 }
  td, th { border: 1px solid #ccc; padding: 2px 8px; text-align: left; vertical-align: top; overflow-wrap: anywhere }
  .different td:nth-child(2) { background: #fdd }
  .later td:nth-child(2), .unstable td:nth-child(2), .unjudged td:nth-child(2) { background: #ffd }
  .pictures { display: flex; gap: 12px }
  figure { flex: 1; margin: 0; max-width: 600px }
  img { width: 100%; border: 1px solid #ccc }
</style>
<h1>Platen beside plain Chromium</h1>
<p>${escapeHtml(summary)}</p>
${sections.map(({ html }) => html).join('\n')}
<h2>All documents</h2>
<table><tr><th>document<th>outcome<th>pages<th>what differs<th>warnings
${sections.map(({ verdict }) => rowHtml(verdict)).join('\n')}
</table></html>
`
}
