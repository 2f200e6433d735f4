import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import t from 'tap'
import { commands } from '../../cli/src/commands.ts'
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

t.test(
  'docs/README.md lists every page of the documentation, a page of guides/ or operate/ has at most 700 words, one of understand/ 850',
  async (t) => {
    const listed = new Set(
      ['docs/README.md', 'docs/operate/runbooks/README.md'].flatMap((index) =>
        [...textOf(index).matchAll(/\]\(([^)#\s]+\.md)/g)].map(([, path = '']) => join(dirname(index), path)),
      ),
    )
    for (const page of pages.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md'))
      t.ok(listed.has(page), `${page}: list it in docs/README.md`)
    for (const page of pages.filter((page) => /^docs\/(guides|operate)\//.test(page))) {
      const words = textOf(page).split(/\s+/).length
      t.ok(words <= 700, `${page} has ${words} words: split it`)
    }
    for (const page of pages.filter((page) => /^docs\/understand\/(?!what-was-run)/.test(page))) {
      const words = textOf(page).split(/\s+/).length
      t.ok(words <= 850, `${page} has ${words} words: split it`)
    }
  },
)

t.test('the paths in CONTRIBUTING.md, SECURITY.md and docs/ exist', async (t) => {
  const path = /`((?:bench|cli|deploy|docs|examples|scripts|services|shared|test)\/[\w./-]*)`/g
  const named = pages
    .filter((page) => /^(CONTRIBUTING|SECURITY|docs\/[\w/-]+)\.md$/.test(page))
    .flatMap((page) => [...textOf(page).matchAll(path)].map(([, path = '']) => ({ page, path })))
  t.ok(named.length > 200)
  for (const { page, path } of named) t.ok(existsSync(join(root, path)), `${page}: ${path} exists`)
})

/** A command that is named with an argument must take one, so that a verb that was removed is not taken for its argument. */
function isCommand(call: string): boolean {
  const words = call.split(' ')
  const found = [2, 1].map((count) => words.slice(0, count).join(' ')).find((name) => known.has(name))
  if (found === undefined) return false
  const [next = '-'] = words.slice(found.split(' ').length)
  const { options, argument } = known.get(found) ?? { options: {}, argument: '' }
  const named = [...call.matchAll(/(?:^| )--([a-z-]+)/g)].map(([, option = '']) => option)
  return (argument !== '' || /^(-|…)/.test(next)) && named.every((name) => name === 'help' || name in options)
}

const known = new Map(commands.map((command) => [command.name, command]))
const groups = new Set(commands.map(({ name }) => name.split(' ')[0]))

t.test('the commands that pages and helps name exist, with their options', async (t) => {
  const onPages = pages.flatMap((page) =>
    [...textOf(page).matchAll(/`platen ([a-z-]+ [^`|]*|[a-z-]+)`/g)].map(([, call = '']) => ({ page, call })),
  )
  const inHelps = commands.flatMap(({ name, notes }) =>
    [...notes.join('\n').matchAll(/`([a-z-]+)( [^`]*)?`/g)]
      .filter(([, group = '']) => groups.has(group))
      .map(([, group = '', rest = '']) => ({ page: `${name} --help`, call: `${group}${rest}` })),
  )
  t.ok(onPages.length > 15 && inHelps.length > 1, `${onPages.length} on pages, ${inHelps.length} in helps`)
  for (const { page, call } of [...onPages, ...inHelps]) t.ok(isCommand(call.replace(/\s+/g, ' ')), `${page}: ${call}`)
})
