import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { root } from './code-blocks.ts'

const sources = execFileSync(
  'git',
  ['ls-files', 'services/*/src/*.ts', 'shared/*/src/*.ts', 'deploy/single-node/src/*.ts'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .trim()
  .split('\n')
  .filter((path) => !/\.test\.ts$|\/testing\/|\/suite\//.test(path))
  .map((path) => readFileSync(join(root, path), 'utf8'))

/** The code in the first cell of each row of a page. */
const rowsOf = (page: string) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^\| `([^`]+)`/gm)].map(([, cell = '']) => cell)

t.test('docs/reference/metrics.md has each metric of the code, and no other', async (t) => {
  // `platen_session` is a cookie.
  const metric = /'(platen_(?!session')[a-z_]+)'/g
  const used = sources.flatMap((source) => [...source.matchAll(metric)].map(([, name = '']) => name))
  t.strictSame(rowsOf('docs/reference/metrics.md').toSorted(), [...new Set(used)].toSorted())
})

/** The text of a literal, with … for what is filled in. */
const shown = (literal: string) => literal.replaceAll(/\$\{[^{}]*\}/g, '…')

/** The first literal of each call that logs an error and has one. */
function* errorMessages(): Generator<string> {
  for (const source of sources) {
    for (const { index } of source.matchAll(/\blog\??\.(error|fatal)\(/g)) {
      const [call = ''] = /^[\s\S]*?\n? *\)\n/.exec(source.slice(index)) ?? []
      const [, quoted, template] = /(?:[,(?]\s*)(?:'([^'\n]+)'|`([^`]+)`)/.exec(call) ?? []
      const message = quoted ?? template
      if (message !== undefined) yield shown(message)
    }
  }
}

t.test('docs/reference/log-messages.md has each message of an error, and each of its messages is logged', async (t) => {
  const page = 'docs/reference/log-messages.md'
  const rows = rowsOf(page)
  const messages = [...new Set(errorMessages())]
  t.ok(messages.length > 15, `${messages.length} messages`)
  for (const message of messages) t.ok(rows.includes(message), `${page}: add a row for \`${message}\``)
  const code = sources.map((source) => source.replaceAll(/' \+\n\s*'|`\s*\+\s*`/g, '')).join('\n')
  for (const row of rows) {
    const parts = row
      .split('…')
      .map((part) => part.trim())
      .filter((part) => part.length > 3)
    for (const part of parts) t.ok(code.includes(part), `${page}: no code logs \`${row}\``)
  }
})
