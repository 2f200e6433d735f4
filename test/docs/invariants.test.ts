import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { root } from './code-blocks.ts'

const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const page = 'docs/understand/invariants.md'
const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)

t.test('each invariant has the files that keep it and the tests that hold it', async (t) => {
  const [rules = ''] = textOf(page).split('\n## Gaps')
  const [, ...invariants] = rules.split(/^- \*\*/m)
  t.ok(invariants.length > 25)
  for (const invariant of invariants) {
    const [name = ''] = invariant.split('**')
    t.match(invariant, /held by|which `npm run check` runs|`biome\.json`/, `${page}: name a test that holds "${name}"`)
    for (const path of quoted(invariant).filter((code) => /^[\w-]+\/[^ ]+$/.test(code)))
      t.ok(existsSync(join(root, path)), `${page}: ${path} exists`)
    for (const [, path = '', title = ''] of invariant.matchAll(/held by `([^`]+)`[^`\n]*: `([^`]+)`/g)) {
      const source = textOf(path)
      const isThere = [`'${title}'`, `"${title}"`].some((text) => source.includes(text))
      t.ok(isThere, `${page}: ${path} has the test "${title}"`)
    }
  }
})

const builtIn = '(?:Array|BigInt|Date|Error|Function|Map|Number|Object|Promise|RegExp|Set|String|Symbol)'
const changesPrototype = new RegExp(
  `^[^'"\`\\n]*\\b(?:${builtIn}\\.prototype\\.\\w+ = |(?:assign|definePropert\\w+)\\(${builtIn}\\.prototype)`,
  'm',
)

t.test('only main.ts ends a process, and no prototype of the language is changed', async (t) => {
  t.match('BigInt.prototype.toJSON = () => 1', changesPrototype)
  t.match('  Object.defineProperty(BigInt.prototype, "toJSON", {})', changesPrototype)
  t.notMatch('const keep = Object.prototype.toString', changesPrototype)
  const listing = ['ls-files', ...['cli', 'deploy', 'packages', 'services', 'shared'].map((folder) => `${folder}/*.ts`)]
  const files = execFileSync('git', listing, { cwd: root, encoding: 'utf8' }).trim().split('\n')
  const product = files.filter((file) => !/\.(test|suite)\.ts$|\/(testing|suite|fixtures)\//.test(file))
  t.ok(product.length > 500)
  for (const file of product) {
    const source = textOf(file)
    if (!file.endsWith('/main.ts') && /\bprocess\.exit\(/.test(source))
      t.fail(`${file}: throw, or tell the caller; only a main.ts ends the process`)
    if (changesPrototype.test(source)) t.fail(`${file}: changes a prototype of the language`)
  }
})
