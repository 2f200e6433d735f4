import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

/** A fenced block of code in a Markdown page. */
export interface CodeBlock {
  /** `docs/guides/generate.md, Generate a PDF, 2`: the page, the heading above the block, and its number under that heading. */
  name: string
  code: string
}

/** Every Markdown page that git tracks and that has command blocks. */
export function pagesWithCommands(): string[] {
  const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
  return pages.filter((page) => readBlocks(page).length > 0)
}

export function readBlocks(page: string, language = 'sh'): CodeBlock[] {
  const blocks: CodeBlock[] = []
  let heading = ''
  let count = 0
  let code: string[] | undefined
  for (const line of readFileSync(join(root, page), 'utf8').split('\n')) {
    if (code && line === '```') {
      count += 1
      blocks.push({ name: `${page}, ${heading}, ${count}`, code: `${code.join('\n')}\n` })
      code = undefined
    } else if (code) code.push(line)
    else if (line === `\`\`\`${language}`) code = []
    else if (/^#+ /.test(line)) {
      heading = line.replace(/^#+ /, '')
      count = 0
    }
  }
  return blocks
}
