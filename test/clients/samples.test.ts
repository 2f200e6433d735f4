import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { readBlocks, root } from '../docs/code-blocks.ts'
import { findGo, goEnv, goFolder } from '../support/clients/go.ts'
import { findPython, pythonEnv } from '../support/clients/python.ts'
import { startPlaten } from '../support/platen.ts'

// The samples of the Python and Go clients, run as a reader copies them. Those of @platen/client are run by
// test/docs/samples.test.ts.

const run = promisify(execFile)
const platen = await startPlaten()
t.teardown(() => platen[Symbol.asyncDispose]())
const server = { PLATEN: platen.url, API_KEY: platen.apiKey }

const isPdf = (folder: string) => (name: string) => readFileSync(join(folder, name), 'latin1').startsWith('%PDF-')
const pdfsIn = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.pdf'))

const python = findPython()
t.test('those in Python run', 'missing' in python ? { skip: python.missing } : {}, async (t) => {
  if ('missing' in python) return
  const runSample = async (page: string, env: Record<string, string> = {}) => {
    const [sample, ...more] = readBlocks(page, 'python')
    t.strictSame(more, [], `${page} has one sample`)
    const folder = t.testdir({ 'sample.py': sample?.code ?? '' })
    const { stdout } = await run(python.python, ['sample.py'], {
      cwd: folder,
      env: { ...pythonEnv, ...server, ...env },
    })
    t.ok(pdfsIn(folder).length > 0 && pdfsIn(folder).every(isPdf(folder)), `${page} writes files`)
    return stdout
  }
  t.equal(await runSample('clients/python/README.md'), '')
  const printed = await runSample('docs/reference/clients.md')
  t.equal(printed, `${'completed 1\n'.repeat(3)}TEMPLATE_NOT_FOUND 404\n`)
})

const go = findGo()
t.test('those in Go run', 'missing' in go ? { skip: go.missing } : {}, async (t) => {
  const name = 'github.com/platen/platen/clients/go'
  const module = `module sample\n\ngo 1.24\n\nrequire ${name} v0.0.0\n\nreplace ${name} => ${goFolder}\n`
  const runSample = async (page: string, programOf = (code: string) => code) => {
    const [sample, ...more] = readBlocks(page, 'go')
    t.strictSame(more, [], `${page} has one sample`)
    const folder = t.testdir({ 'go.mod': module, 'main.go': programOf(sample?.code ?? '') })
    const { stdout } = await run('go', ['run', '.'], { cwd: folder, env: { ...goEnv, ...server } })
    t.ok(isPdf(folder)('receipt.pdf'), `${page} writes a file`)
    return stdout
  }
  t.match(await runSample('docs/reference/clients.md'), /^pdf_\w+ completed <nil>\n/)
  const imports = ['"context"', '"log"', '"os"', `platen "${name}"`].map((each) => `import ${each}\n`).join('')
  const inMain = (code: string) =>
    `package main\n${imports}func main() {\nctx := context.Background()\n${code}\nif err != nil { log.Fatal(err) }\n}\n`
  await runSample('clients/go/README.md', inMain)
})

t.test('the READMEs of the clients have fifteen lines', async (t) => {
  for (const folder of ['clients/go', 'clients/mcp', 'clients/python', 'clients/typescript', 'clients/events']) {
    const lines = readFileSync(join(root, folder, 'README.md'), 'utf8')
      .trimEnd()
      .split('\n')
    t.ok(lines.length <= 15, `${folder} has ${lines.length}`)
  }
})
