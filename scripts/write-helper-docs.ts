import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { catalogue } from '@platen/shared/handlebars/helpers/catalogue.ts'
import type { HelperFamily } from '@platen/shared/handlebars/helpers/helper.ts'

/** docs/templates.md: its list of helpers is written from the catalogue, so that it cannot be out of date. */
export const page = fileURLToPath(new URL('../docs/templates.md', import.meta.url))

const listed = /(?<=<!-- helpers -->\n).*(?=<!-- end of helpers -->)/s

/** The page with the helpers as they are now. */
export function withHelpers(text: string): string {
  if (!listed.test(text)) throw new Error('the page has no place for the helpers')
  const families = Object.entries(catalogue).map(([name, family]) => `\n### ${name}\n\n${listFamily(family)}`)
  return text.replace(listed, () => `${families.join('')}\n`)
}

function listFamily(family: HelperFamily): string {
  return Object.values(family)
    .map(({ signature, does, examples }) => {
      const shown = examples.map(({ template, data, gives }) => {
        const filled = data === undefined ? '' : ` with \`${JSON.stringify(data)}\``
        return `  - \`${template}\`${filled} → \`${gives.replaceAll('\n', '\\n')}\`\n`
      })
      return `- **\`${signature}\`** ${does}\n${shown.join('')}`
    })
    .join('')
}

if (import.meta.main) await writeFile(page, withHelpers(await readFile(page, 'utf8')))
