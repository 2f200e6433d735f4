import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'
import { listFiles } from '../../../../site/src/list-files.ts'

// A small studio, made as studio/build/main.ts makes it. test/studio/ has that one, in a browser.

const studioFolder = await mkdtemp(join(tmpdir(), 'platen-studio-'))
t.teardown(() => rm(studioFolder, { recursive: true }))
const page = '<!doctype html><div id="studio"></div>'
const folder = join(studioFolder, 'built')
await mkdir(join(folder, 'assets'), { recursive: true })
await writeFile(join(folder, 'index.html'), page)
await writeFile(join(folder, 'assets/main-ABC.js'), 'export {}')
await writeFile(join(folder, 'site.json'), JSON.stringify({ ...(await listFiles(folder)), compressed: [] }))
await symlink('built', join(studioFolder, 'current'))

const gateway = await startTestGateway({ studioFolder })
t.teardown(() => gateway[Symbol.asyncDispose]())
const open = (path: string, headers: Record<string, string> = {}, url = gateway.url) =>
  fetch(new URL(path, url), { headers, redirect: 'manual' })
const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

t.test('every address of a page is the page of the studio, with a strict policy', async (t) => {
  for (const path of ['/studio', '/studio/', '/studio/templates', '/studio/templates/tpl_1?q=a&sort=name']) {
    const found = await open(path)
    t.match([found.status, await found.text()], [200, page], path)
    t.equal(found.headers.get('cache-control'), 'no-cache')
    const policy = found.headers.get('content-security-policy') ?? ''
    t.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/)
    t.match(policy, /frame-ancestors 'none'; require-trusted-types-for 'script'/)
    t.notMatch(policy, /unsafe|\*|https?:/)
    const tag = found.headers.get('etag') ?? ''
    t.equal((await open(path, { 'if-none-match': tag })).status, 304)
  }
})

t.test('a file with a hash in its name is kept, and an unknown one is a 404', async (t) => {
  const script = await open('/studio/assets/main-ABC.js')
  t.match([script.status, script.headers.get('content-type')], [200, 'text/javascript; charset=utf-8'])
  t.match(script.headers.get('cache-control'), 'immutable')
  for (const path of [
    '/studio/assets/main-OLD.js',
    '/studio/assets/..%2findex.html',
    '/studio/examples/nothing.json',
  ]) {
    t.equal((await open(path, asBrowser)).status, 404, path)
  }
  for (const path of ['/studio/site.json', '/studio/..%2f..%2fpackage.json'])
    t.equal(await (await open(path)).text(), page)
})

t.test('/ leads browsers to the studio, and programs where it did', async (t) => {
  t.equal((await open('/', asBrowser)).headers.get('location'), '/studio/')
  t.equal((await open('/')).headers.get('location'), '/docs/')
  t.match((await open('/')).headers.get('vary'), /accept/)
})

t.test('where it is not built, it says how it is', async (t) => {
  const another = await gateway.startAnother({ studioFolder: join(gateway.dataDir, 'nothing') })
  t.teardown(() => another[Symbol.asyncDispose]())
  const found = await open('/studio/templates', {}, another.url)
  t.match([found.status, await found.text()], [503, /npm run setup/])
})

t.test('STUDIO=off serves nothing', async (t) => {
  const another = await gateway.startAnother({ studio: 'off' })
  t.teardown(() => another[Symbol.asyncDispose]())
  for (const path of ['/studio', '/studio/', '/studio/templates', '/studio/assets/main-ABC.js']) {
    t.equal((await open(path, asBrowser, another.url)).status, 404, path)
  }
  t.equal((await open('/', asBrowser, another.url)).headers.get('location'), '/docs/')
})
