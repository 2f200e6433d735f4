import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { root } from './code-blocks.ts'

const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const folder = 'docs/understand/invariants'
const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)

t.test('each invariant has the files that keep it and the tests that hold it', async (t) => {
  const pages = readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)
  const invariants = pages.flatMap((page) => {
    const [, ...texts] = textOf(page).split(/^- \*\*/m)
    return texts.map((invariant) => ({ page, invariant }))
  })
  t.ok(invariants.length > 50, `${invariants.length} invariants`)
  for (const { page, invariant } of invariants) {
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
  const listing = ['ls-files', ...['cli', 'clients', 'deploy', 'services', 'shared'].map((folder) => `${folder}/*.ts`)]
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
