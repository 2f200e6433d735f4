import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t, { type Test } from 'tap'
import { typesOf } from '../../packages/client/generate-types.ts'
import { readBlocks, root } from './code-blocks.ts'

// Generators of clients, from the OpenAPI document as it is served. Only openapi-typescript is a package of the repository;
// the others are run where they are installed. Nothing is downloaded.

const run = promisify(execFile)
const gateway = await startTestGateway()
const { body: document } = await gateway.call('GET', '/openapi.json')
await gateway[Symbol.asyncDispose]()

const folder = await mkdtemp(join(tmpdir(), 'platen-clients-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
const file = join(folder, 'openapi.json')
await writeFile(file, JSON.stringify(document))

const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
const missing = (what: string) => ({ skip: `${what} is not installed` })

/** Runs a command without the network and the options of the test runner, with which TypeScript 7 does not run. The test fails with its output if the command does. */
async function succeeds(t: Test, cwd: string, command: string, ...args: string[]) {
  const env = { ...process.env, GOPROXY: 'off', GOSUMDB: 'off', GOFLAGS: '-mod=mod' }
  const options = { cwd, env, maxBuffer: 2 ** 26 }
  const failure = await run('env', ['-u', 'NODE_OPTIONS', command, ...args], options).then(
    () => undefined,
    (err) => `${err.stdout}${err.stderr}`,
  )
  t.equal(failure?.slice(0, 3_000), undefined, `${command} ${args.join(' ').slice(0, 100)}`)
}

const compilerOptions = {
  ...{
    noEmit: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom'],
    types: [],
  },
  allowImportingTsExtensions: true,
}

t.test(
  'openapi-typescript makes types with which the sample of docs/reference/generated-clients.md compiles',
  async (t) => {
    const app = join(folder, 'typescript')
    await mkdir(app)
    await symlink(join(root, 'packages/client/node_modules'), join(app, 'node_modules'))
    await writeFile(join(app, 'platen.d.ts'), await typesOf(document))
    const sample = readBlocks('docs/reference/generated-clients.md', 'ts').find(({ code }) =>
      code.includes('openapi-fetch'),
    )
    await writeFile(join(app, 'sample.ts'), sample?.code ?? 'missing')
    await writeFile(
      join(app, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...compilerOptions, strict: true } }),
    )
    await succeeds(t, app, join(root, 'node_modules/.bin/tsc'), '-p', '.')
  },
)

const [jar] = globSync(join(homedir(), '.m2/repository/org/openapitools/openapi-generator-cli/*/*.jar'))
const python = ['python3', 'python'].find(has)

t.test(
  'openapi-generator makes code that compiles',
  jar && has('java') ? {} : missing('openapi-generator'),
  async (t) => {
    const generate = (generator: string, ...flags: string[]) =>
      succeeds(t, folder, 'java', '-jar', jar ?? '', 'generate', '-i', file, '-g', generator, '-o', generator, ...flags)
    await generate('python')
    await generate('typescript-fetch', '--additional-properties=modelPropertyNaming=original')
    if (python) await succeeds(t, folder, python, '-m', 'compileall', '-q', 'python/openapi_client')
    else t.comment('python is not installed')
    const app = join(folder, 'typescript-fetch')
    await writeFile(
      join(app, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...compilerOptions, strict: true } }),
    )
    await succeeds(t, app, join(root, 'node_modules/.bin/tsc'), '-p', '.')
  },
)

t.test(
  'openapi-python-client makes code that compiles',
  has('openapi-python-client') ? {} : missing('it'),
  async (t) => {
    const config = join(folder, 'config.yaml')
    await writeFile(config, 'content_type_overrides:\n  application/pdf: application/octet-stream\n')
    const args = ['generate', '--path', file, '--config', config, '--output-path', join(folder, 'python-client')]
    await succeeds(t, folder, 'openapi-python-client', ...args)
    if (python) await succeeds(t, folder, python, '-m', 'compileall', '-q', 'python-client')
    else t.comment('python is not installed')
  },
)

/** Where `go install` puts it. */
const codegen = ['oapi-codegen', join(homedir(), 'go/bin/oapi-codegen')].find(has)

t.test('oapi-codegen makes code that compiles', codegen && has('go') ? {} : missing('oapi-codegen'), async (t) => {
  const module = join(folder, 'go')
  await mkdir(module)
  const args = ['-generate', 'types,client', '-package', 'platen', '-o', 'client.go', file]
  await succeeds(t, module, codegen ?? '', ...args)
  // The code needs a module that a newcomer's cache does not have.
  const cache = execFileSync('go', ['env', 'GOMODCACHE'], { encoding: 'utf8' }).trim()
  const [runtime] = globSync(join(cache, 'github.com/oapi-codegen/runtime@*')).sort().slice(-1)
  if (runtime === undefined) return t.comment('not compiled: github.com/oapi-codegen/runtime is not in the cache of Go')
  const require = `require github.com/oapi-codegen/runtime ${runtime.split('@').at(-1)}`
  await writeFile(join(module, 'go.mod'), `module example.com/platen\n\ngo 1.22\n\n${require}\n`)
  await succeeds(t, module, 'go', 'vet', '.')
})
