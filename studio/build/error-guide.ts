import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Of an error code: what it means, and what to do. */
export interface ErrorGuide {
  meaning: string
  cure: string
}

const page = join(import.meta.dirname, '../../docs/reference/errors.md')

/** What `docs/reference/errors.md` says of each code, as plain text. */
export async function readErrorGuide(): Promise<Record<string, ErrorGuide>> {
  const sections = (await readFile(page, 'utf8')).split(/^### /m).slice(1)
  return Object.fromEntries(
    sections.map((section) => {
      const [code = '', ...lines] = section.split('\n')
      const text = lines.join(' ').replace(/<!--.*?-->/g, '')
      const [meaning = '', cure = ''] = text.split('**What to do:**')
      return [code.trim(), { meaning: plain(meaning.replace(/HTTP \d+\./, '')), cure: plain(cure) }]
    }),
  )
}

/** Without the targets of links. */
const plain = (markdown: string) =>
  markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
