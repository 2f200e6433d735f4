import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { errorCatalogue } from '@platen/domain/http/error-catalogue.ts'
import { catalogue } from '@platen/templating/handlebars/helpers/catalogue.ts'
import type { HelperFamily } from '@platen/templating/handlebars/helpers/helper.ts'

/** A part of a page that is generated from code, between `<!-- name -->` and `<!-- end of name -->`. */
export interface Section {
  page: string
  name: string
  text: string
}

export const sections: readonly Section[] = [
  { page: pathOf('templates.md'), name: 'helpers', text: listHelpers() },
  { page: pathOf('api.md'), name: 'errors', text: errorTable() },
]

function pathOf(page: string): string {
  return fileURLToPath(new URL(`../docs/${page}`, import.meta.url))
}

/** The page's content with the section as it should be. */
export function withSection(content: string, { page, name, text }: Section): string {
  const [start, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`]
  const [from, to] = [content.indexOf(start), content.indexOf(end)]
  if (from === -1 || to === -1) throw new Error(`${page} has no section ${name}`)
  return content.slice(0, from + start.length) + text + content.slice(to)
}

function listHelpers(): string {
  const families = Object.entries(catalogue).map(([name, family]) => `\n### ${name}\n\n${listFamily(family)}`)
  return `${families.join('')}\n`
}

function listFamily(family: HelperFamily): string {
  return Object.values(family)
    .map(({ signature, does, examples }) => {
      const shown = examples.map(({ template, data, gives }) => {
        const filled = data === undefined ? '' : ` with \`${JSON.stringify(data)}\``
        return `  - \`${template}\`${filled} → \`${gives.replaceAll('\n', '\\n')}\`\n`
      })
      return `${wrapped(`- **\`${signature}\`** ${does}`)}\n${shown.join('')}`
    })
    .join('')
}

/** Breaks a list item into lines of at most 160 characters. */
function wrapped(item: string): string {
  return item.replace(/(.{1,158})( |$)/g, '$1\n  ').trimEnd()
}

function errorTable(): string {
  const rows = Object.entries(errorCatalogue).map(
    ([code, { status, description }]) => `| ${status} | \`${code}\` | ${description} |\n`,
  )
  return `| status | code | meaning |\n|---|---|---|\n${rows.join('')}`
}

if (import.meta.main) {
  for (const section of sections) {
    await writeFile(section.page, withSection(await readFile(section.page, 'utf8'), section))
  }
}
