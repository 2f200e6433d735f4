import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import t from 'tap'
import { root } from './code-blocks.ts'

const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
const textOf = (page: string) => readFileSync(join(root, page), 'utf8')

/** The anchors that GitHub makes of the headings of a page. */
function anchorsOf(page: string): string[] {
  return [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

for (const page of pages) {
  t.test(`the links of ${page} lead to files and headings`, async (t) => {
    for (const [link, target = ''] of textOf(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? page : relative(root, join(root, dirname(page), path))
      t.ok(existsSync(join(root, file)), `${page}: ${link} leads to a file`)
      if (anchor !== undefined) t.ok(anchorsOf(file).includes(anchor), `${page}: ${link} leads to a heading`)
    }
  })

  t.test(`no line of ${page} is longer than 160 characters`, async (t) => {
    const long = textOf(page)
      .split('\n')
      .filter((line) => [...line].length > 160)
    t.same(long, [], `${page}: break these lines`)
  })
}

t.test('the paths in CONTRIBUTING.md, SECURITY.md and docs/ exist', async (t) => {
  const path = /`((?:bench|cli|deploy|docs|examples|scripts|services|shared|test)\/[\w./-]*)`/g
  const named = pages
    .filter((page) => /^(CONTRIBUTING|SECURITY|docs\/[\w-]+)\.md$/.test(page))
    .flatMap((page) => [...textOf(page).matchAll(path)].map(([, path = '']) => ({ page, path })))
  t.ok(named.length > 200)
  for (const { page, path } of named) t.ok(existsSync(join(root, path)), `${page}: ${path} exists`)
})
