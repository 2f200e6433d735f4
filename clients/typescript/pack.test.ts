import { execFile } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findPnpm } from '@platen/test-support/pnpm.ts'
import t from 'tap'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

const script = `
import { Platen, verifyWebhook } from '@platen/client'
const platen = new Platen({ url: process.argv[2], key: 'pk_1' })
const { id } = await platen.generate({ html: 'x' })
const why = await verifyWebhook('{}', {}, 'whsec_c2VjcmV0').catch((err) => err.name)
console.log(id, why)
`

const typed = `
import { events, type GenerationWebhook, Platen, PlatenError, unwrap, verifyWebhook } from '@platen/client'

export async function print(platen: Platen, messages: AsyncIterable<never>): Promise<Blob> {
  const options = { signal: new AbortController().signal, timeoutMs: undefined }
  const { url, pages }: { url: string; pages: number } = await platen.generate({ html: 'x' }, options)
  // @ts-expect-error: either html or template
  await platen.generate({ html: url, template: 'x' })
  // @ts-expect-error: an unknown format
  await platen.generate({ html: 'x', options: { format: 'A9' } })
  const { data } = await unwrap(platen.api.GET('/v1/templates', { params: { query: { limit: pages } } }))
  // @ts-expect-error: an unknown operation
  await platen.api.GET('/v1/nothing')
  const webhook: GenerationWebhook = await verifyWebhook('', new Headers(), ['whsec_c2VjcmV0'])
  if (webhook.type === 'generation.completed') console.log(webhook.data.url, data[0]?.name)
  for await (const event of events(messages)) {
    if (event.type === 'com.platen.GenerationCompleted') console.log(event.data.pages)
  }
  const file = await platen.file(url)
  return new Blob([await file.bytes(), (await platen.generatePdf({ template: 'x', template_version: 1 })).bytes])
}

export const isBusy = (error: unknown) => error instanceof PlatenError && error.code === 'QUEUE_FULL'
`

const compilerOptions = {
  strict: true,
  noEmit: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  types: [],
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
}

const project = {
  'package.json': '{"type": "module"}',
  'run.js': script,
  'typed.ts': typed,
  'tsconfig.json': JSON.stringify({ compilerOptions: { ...compilerOptions, module: 'nodenext' } }),
  'tsconfig.bundler.json': JSON.stringify({
    compilerOptions: { ...compilerOptions, module: 'esnext', moduleResolution: 'bundler' },
  }),
}
const pnpm = findPnpm()

t.test('the packed client is installed, runs and has types', { skip: !pnpm && 'pnpm is not installed' }, async (t) => {
  if (!pnpm) return
  // Outside of the repository, whose packages would be found from there.
  const folder = await mkdtemp(join(tmpdir(), 'platen-client-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const app = join(folder, 'app')
  await mkdir(app)
  for (const [name, content] of Object.entries(project)) await writeFile(join(app, name), content)
  const [file, ...args] = pnpm
  for (const name of ['typescript', 'events']) {
    await run(file, [...args, 'pack', '--pack-destination', folder], { cwd: join(root, 'clients', name) })
  }
  // Replaces what npm would load from its registry.
  const fetcher = realpathSync(join(import.meta.dirname, 'node_modules/openapi-fetch'))
  const npm = (...command: string[]) => run('npm', [...command, '--no-audit', '--no-fund', '--offline'], { cwd: app })
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers']) {
    // A copy, because npm does not install packed files that are hard links of each other, which fs.cp preserves.
    await run('cp', ['-RL', join(fetcher, '..', name), join(folder, name)])
    await npm('pack', join(folder, name), '--pack-destination', folder, '--ignore-scripts')
  }
  const tarballs = (await readdir(folder)).filter((name) => name.endsWith('.tgz'))
  t.equal(tarballs.length, 4)
  await npm('install', '--ignore-scripts', ...tarballs.map((name) => join(folder, name)))

  const installed = join(app, 'node_modules/@platen/client')
  t.same((await readdir(installed)).sort(), ['LICENSE', 'README.md', 'dist', 'package.json'])
  const files = await readdir(join(installed, 'dist'))
  t.ok(files.includes('exports.js') && files.includes('exports.d.ts'))
  t.same(
    files.filter((name) => !/^[a-z-]+(\.d\.ts|\.js)$/.test(name)),
    [],
  )

  const done = { id: 'pdf_1', status: 'completed', created_at: '', url: 'http://x', pages: 1, size: 2 }
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(done)),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { stdout } = await run(process.execPath, ['run.js', url], { cwd: app })
  t.equal(stdout.trim(), 'pdf_1 WebhookVerificationError')

  for (const compiler of [join(root, 'node_modules/.bin/tsc'), join(import.meta.dirname, 'node_modules/.bin/tsc')]) {
    for (const config of ['tsconfig.json', 'tsconfig.bundler.json']) {
      // The compiler of TypeScript 7 does not run with the options of the test runner.
      const command = ['-u', 'NODE_OPTIONS', compiler, '-p', config]
      const failure = await run('env', command, { cwd: app }).catch((err) => err)
      t.equal(`${failure.stdout}${failure.stderr}`, '', `${compiler} ${config}`)
    }
  }
})
