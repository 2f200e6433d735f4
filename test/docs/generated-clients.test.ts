import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t, { type Test } from 'tap'
import { typesOf } from '../../clients/typescript/generate-types.ts'
import { readBlocks, root } from './code-blocks.ts'

// The sample of a generated client, from the OpenAPI document as it is served. test/generators/ten-calls.test.ts tries the generators.

const run = promisify(execFile)
const gateway = await startTestGateway()
const { body: document } = await gateway.call('GET', '/openapi.json')
await gateway[Symbol.asyncDispose]()

const folder = await mkdtemp(join(tmpdir(), 'platen-clients-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))

/** Runs a command without the options of the test runner, with which TypeScript 7 does not run. The test fails with its output if the command does. */
async function succeeds(t: Test, cwd: string, command: string, ...args: string[]) {
  const options = { cwd, maxBuffer: 2 ** 26 }
  const failure = await run('env', ['-u', 'NODE_OPTIONS', command, ...args], options).then(
    () => undefined,
    (err) => `${err.stdout}${err.stderr}`,
  )
  t.equal(failure?.slice(0, 3_000), undefined, `${command} ${args.join(' ').slice(0, 100)}`)
}

const compilerOptions = {
  noEmit: true,
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2022', 'dom'],
  types: [],
  allowImportingTsExtensions: true,
}

t.test(
  'openapi-typescript makes types with which the sample of docs/reference/generated-clients.md compiles',
  async (t) => {
    const app = join(folder, 'typescript')
    await mkdir(app)
    await symlink(join(root, 'clients/typescript/node_modules'), join(app, 'node_modules'))
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
