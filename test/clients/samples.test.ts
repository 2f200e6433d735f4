import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { readBlocks } from '../docs/code-blocks.ts'
import { findGo, goEnv, goFolder } from '../support/clients/go.ts'
import { findPython, pythonEnv } from '../support/clients/python.ts'
import { startPlaten } from '../support/platen.ts'

// The samples of the clients in Python and Go, as a reader copies them. Those of @platen/client are run by test/docs/samples.test.ts.

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
  t.match(await runSample('clients/python/README.md'), /^pdf_\w+ 1\npdf_\w+ 1\n/)
  const printed = await runSample('docs/reference/clients.md')
  t.equal(printed, `${'completed 1\n'.repeat(3)}TEMPLATE_NOT_FOUND 404\n`)
})

const go = findGo()
t.test('that in Go runs', 'missing' in go ? { skip: go.missing } : {}, async (t) => {
  const [sample, ...more] = readBlocks('clients/go/README.md', 'go')
  t.strictSame(more, [])
  const name = 'github.com/platen/platen/clients/go'
  const module = `module sample\n\ngo 1.24\n\nrequire ${name} v0.0.0\n\nreplace ${name} => ${goFolder}\n`
  const folder = t.testdir({ 'go.mod': module, 'main.go': sample?.code ?? '' })
  const { stdout } = await run('go', ['run', '.'], { cwd: folder, env: { ...goEnv, ...server } })
  t.match(stdout, /^pdf_\w+ completed <nil>\n/)
  t.ok(isPdf(folder)('receipt.pdf'))
})
