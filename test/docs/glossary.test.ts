import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { commands } from '../../cli/src/commands.ts'
import { root } from './code-blocks.ts'

const glossary = 'docs/reference/glossary.md'
const maxEntries = 60
const entries = [...readFileSync(join(root, glossary), 'utf8').matchAll(/^- \*\*(.+?)\*\*: (.+)$/gm)]

/** Each has another word in the glossary or in the field. Pages of what was run have the words of their time. */
const unused: readonly [word: RegExp, instead: string][] = [
  [/\bmend(s|ed|ing)?\b/i, 'repair, fix'],
  [/\badopt(s|ed|ing|ion)?\b/i, 'claim'],
  [/\b(is|are|be|become|becomes) level\b/i, 'has caught up'],
  [/\bbur(y|ies|ied)\b/i, 'move to the dead letters'],
  [/\b(take|takes|took) turns\b/i, 'round-robin order'],
  [/\bturns of (work|requests)\b/i, 'limits of concurrency'],
  [/\bdead (list|show|retry|drop)\b/i, 'dead-letters …'],
  [/`DEAD`/, '`DEAD_LETTERS`'],
  [/\bthe pins\b/i, 'the locked versions'],
  [/\b(is|are|was|were|be) away\b/i, 'is unavailable'],
]

t.test(
  'an entry of the glossary is in order, one line of one or two sentences, with a page that explains it',
  async (t) => {
    t.ok(entries.length > 40 && entries.length <= maxEntries, `${entries.length} entries`)
    const terms = entries.map(([, term = '']) => term.replaceAll('`', '').toLowerCase())
    t.same(
      terms,
      terms.toSorted((a, b) => a.localeCompare(b, 'en')),
      'they are in alphabetical order',
    )
    t.equal(new Set(terms).size, terms.length, 'each word is there once')
    for (const [, term, text = ''] of entries) {
      const [, target = ''] = /\]\(([^)#]+)[^)]*\)$/.exec(text) ?? []
      t.ok(target !== '' && existsSync(join(root, dirname(glossary), target)), `${term} ends with a link to a page`)
    }
  },
)

t.test('the pages and the command line use the words of the glossary', async (t) => {
  const pages = execFileSync('git', ['ls-files', 'docs/*.md', 'README.md', 'CONTRIBUTING.md'], {
    cwd: root,
    encoding: 'utf8',
  })
  const texts = pages
    .trim()
    .split('\n')
    .filter((page) => !page.startsWith('docs/understand/what-was-run/'))
    .map((page): [string, string] => [page, readFileSync(join(root, page), 'utf8').replaceAll(/\s+/g, ' ')])
  const helps = commands.map(({ name, summary, notes = [], options = {} }): [string, string] => [
    `platen ${name} --help`,
    [summary, ...notes, ...Object.values(options).map(({ about }) => about)].join(' '),
  ])
  for (const [word, instead] of unused) {
    const found = [...texts, ...helps].flatMap(([name, text]) => {
      const match = word.exec(text)
      return match ? [`${name}: … ${text.slice(Math.max(0, match.index - 40), match.index + 60)} …`] : []
    })
    t.same(found, [], `${word}: write ${instead}`)
  }
})
