import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { promisify } from 'node:util'
import { startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'
import { otherClientFiles } from '../../scripts/write-client-types.ts'
import { findGo, goEnv, goFolder } from '../support/clients/go.ts'
import { findPython, pythonEnv, pythonFolder } from '../support/clients/python.ts'

const run = promisify(execFile)

/** What a command says, if it fails. */
async function complaints(command: string, args: string[], options: { cwd: string; env: NodeJS.ProcessEnv }) {
  return run(command, args, options).then(
    ({ stdout }) => (command === 'gofmt' ? stdout : ''),
    (err) => `${err.stdout}${err.stderr}`,
  )
}

t.test('the generated files of the clients are those of the OpenAPI document', async (t) => {
  await using gateway = await startTestGateway()
  const { body: document } = await gateway.call('GET', '/openapi.json', { key: null })
  for (const { path, text } of otherClientFiles(document)) {
    t.ok((await readFile(path, 'utf8')) === text, `${relative('.', path)}: npm run generate`)
  }
})

const python = findPython()
t.test('mypy accepts the client in Python', 'missing' in python ? { skip: python.missing } : {}, async (t) => {
  if ('missing' in python) return
  const options = { cwd: pythonFolder, env: { ...pythonEnv, MYPYPATH: 'src' } }
  const args = ['-m', 'mypy', '--strict', '--cache-dir', `${t.testdir()}/mypy`]
  t.equal(await complaints(python.python, [...args, '-p', 'platen'], options), '')
  t.equal(await complaints(python.python, [...args, 'tests/driver.py'], options), '')
})

const go = findGo()
t.test(
  'go vet and gofmt accept the client in Go, and its own tests pass',
  'missing' in go ? { skip: go.missing } : {},
  async (t) => {
    const options = { cwd: goFolder, env: goEnv }
    t.equal(await complaints('go', ['vet', './...'], options), '')
    t.equal(await complaints('gofmt', ['-l', '.'], options), '')
    t.equal(await complaints('go', ['test', './...'], options), '')
  },
)
