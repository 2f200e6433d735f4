import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import manifest from '../../package.json' with { type: 'json' }
import { readBlocks, root } from '../docs/code-blocks.ts'
import { findGo, goEnv } from '../support/clients/go.ts'
import { findPython } from '../support/clients/python.ts'
import { startPlaten } from '../support/platen.ts'

// What `npm run release` builds is installed as docs/reference/clients.md says, outside of the repository, and runs the sample of its README.
// The packages of npm are installed by clients/typescript/pack.test.ts.
t.setTimeout(900_000)

const run = promisify(execFile)
const goModule = 'github.com/platen/platen/clients/go'
const platen = await startPlaten()
t.teardown(() => platen[Symbol.asyncDispose]())
const server = { PLATEN: platen.url, API_KEY: platen.apiKey }

/** A folder with the built packages in `out`, and an empty one for an application that uses them. */
async function release(t: Test, only: string, ...more: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'platen-release-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const [out, app] = [join(folder, 'out'), join(folder, 'app')]
  await mkdir(app)
  const script = join(root, 'scripts/release/build-release.ts')
  await run(process.execPath, [script, '--only', only, '--out', out, ...more], { cwd: root })
  return { out, app }
}

async function sampleOf(page: string, language: string): Promise<string> {
  const [sample] = readBlocks(page, language)
  return sample?.code ?? ''
}

async function writesPdf(t: Test, app: string) {
  t.match(await readFile(join(app, 'receipt.pdf'), 'latin1'), /^%PDF-/)
}

const python = findPython()
t.test('the wheel is installed and runs', 'missing' in python ? { skip: python.missing } : {}, async (t) => {
  if ('missing' in python) return
  const { out, app } = await release(t, 'python', '--python', python.python)
  const [wheel = '', ...more] = (await readdir(out)).filter((name) => name.endsWith('.whl'))
  t.match(wheel, `platen_client-${manifest.version}-`)
  t.same(more, [])
  await run(python.python, ['-m', 'venv', join(app, 'venv')])
  const own = join(app, 'venv/bin/python')
  await run(own, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', join(out, wheel)])
  await writeFile(join(app, 'sample.py'), await sampleOf('clients/python/README.md', 'python'))
  const { PYTHONPATH: _, ...env } = process.env
  const { stdout } = await run(own, ['sample.py'], { cwd: app, env: { ...env, ...server } })
  t.equal(stdout, '')
  await writesPdf(t, app)
  const ask =
    'import platen, pathlib; print(pathlib.Path(platen.__file__).parent, (pathlib.Path(platen.__file__).parent / "py.typed").exists())'
  t.match((await run(own, ['-c', ask], { cwd: app, env })).stdout, /app\/venv\/.*platen True$/m, 'it has types')
})

const go = findGo()
t.test('the Go module is got from the archive and runs', 'missing' in go ? { skip: go.missing } : {}, async (t) => {
  const { out, app } = await release(t, 'go')
  const env = {
    ...goEnv,
    ...server,
    GOPROXY: `file://${out}/go`,
    GONOSUMDB: 'github.com/platen/*',
    GOMODCACHE: join(app, 'cache'),
    GOFLAGS: '-modcacherw',
  }
  const inApp = (...args: string[]) => run('go', args, { cwd: app, env })
  await inApp('mod', 'init', 'example.com/app')
  await inApp('get', `${goModule}@v${manifest.version}`)
  await writeFile(join(app, 'main.go'), await sampleOf('docs/reference/clients.md', 'go'))
  t.match((await inApp('run', '.')).stdout, /^pdf_\w+ completed <nil>\n/)
  await writesPdf(t, app)
  t.equal(
    (await inApp('list', '-m', 'all')).stdout,
    `example.com/app\n${goModule} v${manifest.version}\n`,
    'it needs no other module',
  )
})
