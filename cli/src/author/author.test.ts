import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOwner } from '@platen/domain/owner/owners.ts'
import { apiKey, startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'
import { jsonLines, type RunOptions, runCli } from '../testing/run-cli.ts'

t.setTimeout(600_000)

// Only the URL and a key: authors have no access to the engines.
const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const env = { PLATEN_URL: gateway.url, API_KEY: apiKey, DATA_DIR: '/nonexistent' }
const platen = (...args: string[]) => runCli(env, args)
const platenWith = (options: RunOptions, ...args: string[]) => runCli(env, args, options)

t.test('templates are pulled, pushed, compared and restored', async (t) => {
  const folder = t.testdir({ invoice: { 'template.html': '<h1>{{n}}</h1>\n', 'data.json': '{"n":1}' } })
  const path = join(folder, 'invoice')
  const created = JSON.parse((await platen('templates', 'push', folder, '--json')).stdout)
  t.match(created, { folder: path, id: /^tpl_/, version: 1, change: 'created' })
  t.match(JSON.parse(await readFile(join(path, 'template.json'), 'utf8')), {
    slug: 'invoice',
    id: created.id,
    name: 'invoice',
    version: 1,
  })
  t.match((await platen('templates', 'push', path)).stdout, 'unchanged')
  await writeFile(join(path, 'template.html'), '<h2>{{n}}</h2>\n')
  t.match((await platen('templates', 'push', path)).stdout, /updated {2}tpl_\w+ {2}version 2/)
  await writeFile(join(path, 'template.html'), '{{#if}}')
  t.match(await platen('templates', 'push', path), { code: 1, stderr: /platen: .+ \([A-Z_]+\)/ })

  t.match(jsonLines(await platen('templates', 'list', '--json')), [{ id: created.id, slug: 'invoice', version: 2 }])
  t.match(jsonLines(await platen('templates', 'history', 'invoice', '--json')), [
    { version: 1, change: 'created' },
    { version: 2, change: 'updated', changed: ['html'] },
  ])
  const diff = await platen('templates', 'diff', 'invoice')
  t.match(diff, { code: 1, stdout: /-<h1>\{\{n\}\}<\/h1>\n\+<h2>\{\{n\}\}<\/h2>/ })
  t.match(await platen('templates', 'diff', 'invoice', '--from', '2', '--to', '2'), { code: 0, stdout: '' })
  t.match(await platen('templates', 'restore', 'invoice', '--version', '1'), { code: 0, stdout: 'is version 3 now' })
  t.match(await platen('templates', 'diff', created.id, '--from', '1', '--to', '3'), { code: 0 })
  t.match(await platen('templates', 'push', path, '--owner', 'own_default'), { code: 1 })
  await writeFile(join(path, 'template.html'), '<h4>{{n}}</h4>\n')
  const stale = `${path}: the template is at version 3 and was pulled at 2`
  t.match(await platen('templates', 'push', folder), { code: 1, stderr: stale }, 'the folder is named')
  const origin = await readFile(join(path, 'template.json'), 'utf8')
  await writeFile(join(path, 'template.json'), origin.replace(created.id, 'tpl_of_another_deployment'))
  const elsewhere = await platen('templates', 'push', folder, '--dry-run')
  t.match(elsewhere, { code: 0, stdout: 'would be updated' }, 'its version says nothing of this template')
  await writeFile(join(path, 'template.json'), origin)
  const edited = { code: 1, stdout: '', stderr: `edited since the last pull or push: ${path}; push it, or add --force` }
  for (const dry of [[], ['--dry-run']]) t.match(await platen('templates', 'pull', folder, ...dry), edited)
  t.equal(await readFile(join(path, 'template.html'), 'utf8'), '<h4>{{n}}</h4>\n')
  t.match(await platen('templates', 'pull', folder, '--force'), { code: 0, stdout: `${path}  version 3` })
  t.equal(await readFile(join(path, 'template.html'), 'utf8'), '<h1>{{n}}</h1>\n')

  await writeFile(join(path, 'header.html'), '<b>{{n}}</b>')
  await writeFile(join(path, 'options.json'), '{"format":"A5"}')
  await writeFile(join(path, 'schema.json'), '{"required":["n"]}')
  await writeFile(join(path, 'samples.json'), '{"none":{}}')
  t.match(await platen('templates', 'push', path), { code: 1, stderr: /samples\.none\.n is required/ })
  await writeFile(join(path, 'samples.json'), '{"many":{"n":9}}')
  t.match(await platen('templates', 'push', path), { code: 0, stdout: 'version 4' })
  t.match((await platen('templates', 'push', path)).stdout, 'unchanged')
  t.match(
    (await platen('templates', 'diff', created.id)).stdout,
    /header\.html(.*\n)*.*options\.json(.*\n)*.*samples\.json/,
  )
  await rm(join(path, 'header.html'))
  t.match(await platen('templates', 'push', path), { code: 0, stdout: 'version 5' })
  t.match(await platen('templates', 'restore', 'invoice', '--version', '4'), { code: 0, stdout: 'is version 6 now' })
  t.match(await platen('templates', 'pull', folder), { code: 0 })
  t.equal(await readFile(join(path, 'header.html'), 'utf8'), '<b>{{n}}</b>')
  t.match(await platen('templates', 'restore', 'invoice', '--version', '3'), { code: 0, stdout: 'is version 7 now' })
  t.match(await platen('templates', 'pull', folder), { code: 0 })
  await t.rejects(readFile(join(path, 'header.html')), { code: 'ENOENT' }, 'a field that is gone has no file')

  const stop = new AbortController()
  const watching = platenWith({ signal: stop.signal, onLine: () => stop.abort() }, ...['templates', 'watch', folder])
  const saving = setInterval(() => void writeFile(join(path, 'template.html'), `<p>${Date.now()}</p>`), 500)
  t.match(await watching, { code: 0, stdout: /updated {2}tpl_\w+ {2}version 8/ })
  clearInterval(saving)
  await gateway.call('PUT', '/v1/templates/invoice/labels/published', { body: { version: 2 } })
  t.match((await platen('templates', 'diff', 'invoice', '--from', 'published')).stdout, 'template.html (version 2)')
  t.match(await platen('templates', 'diff', 'invoice', '--to', 'draft'), { code: 2, stderr: 'it has published' })
  for (const [verb, code, ...args] of [
    ['history', 1, 'nosuch'],
    ['diff', 2, 'nosuch'],
    ['restore', 1, 'nosuch', '--version', '1'],
  ] as const) {
    t.match(await platen('templates', verb, ...args), {
      code,
      stderr: /nosuch does not exist \(TEMPLATE_NOT_FOUND\)/,
    })
  }
  t.match(await platen('templates', 'restore', 'invoice'), { code: 2, stderr: '--version is required' })
})

t.test(
  'a dry run tells what a push and a restore would do, refuses what Platen would refuse, and sends nothing',
  async (t) => {
    const template = (html: string) => ({ 'template.html': html })
    const folder = t.testdir({
      dry: { ...template('{{> dryhead}}{{n}}'), 'data.json': '{"n":1}', 'schema.json': '{"required":["n"]}' },
      _partials: { 'dryhead.html': '<b>', 'drycircle.html': 'x' },
      own: { gross: { ...template('{{gross 1}}'), 'helpers.js': 'export const gross = (net) => net' } },
      unknown: { none: template('{{> nosuch}}') },
      helper: { wrong: template('{{nosuch 1}}') },
      options: { wrong: { ...template('<p>'), 'options.json': '{"formt":"A4"}' } },
      samples: { wrong: { ...template('<p>'), 'schema.json': '{"required":["n"]}', 'samples.json': '{"none":{}}' } },
      circle: { any: template('<p>'), _partials: { 'one.html': '{{> two}}', 'two.html': '{{> one}}' } },
    })
    const dry = (path: string, ...args: string[]) => platen('templates', 'push', path, '--dry-run', ...args)
    t.match(await dry(join(folder, 'own')), { code: 0, stdout: /gross {2}would be created/ }, 'with helpers of its own')
    t.match(jsonLines(await dry(folder, '--json')), [
      { name: 'drycircle', version: 1, change: 'created', dry_run: true },
      { name: 'dryhead', version: 1, change: 'created', dry_run: true },
      { folder: join(folder, 'dry'), version: 1, change: 'created', dry_run: true },
    ])
    for (const [name, stderr] of [
      ['unknown', /there is no partial "nosuch".*\(TEMPLATE_RENDER_ERROR\)/],
      ['helper', /nosuch.*\(TEMPLATE_RENDER_ERROR\)/],
      ['options', /options.*\(VALIDATION_ERROR\)/],
      ['samples', /samples\.none\.n is required.*\(VALIDATION_ERROR\)/],
      ['circle', /calls itself.*\(TEMPLATE_RENDER_ERROR\)/],
    ] as const) {
      t.match(await dry(join(folder, name)), { code: 1, stderr }, name)
      if (name !== 'circle') t.match(await platen('templates', 'push', join(folder, name)), { code: 1 }, name)
    }
    t.notOk(jsonLines(await platen('templates', 'list', '--json')).some(({ slug }) => slug === 'dry'))
    t.match(await platen('templates', 'push', folder), { code: 0 })
    await writeFile(join(folder, '_partials/dryhead.html'), '<i>')
    t.match(
      (await dry(folder)).stdout,
      /partial dryhead {2}would be updated {2}prt_\w+ {2}version 2\n.*dry {2}would be updated {2}tpl_/,
    )
    await platen('templates', 'push', folder)
    t.match((await dry(folder)).stdout, /dry {2}unchanged {2}tpl_\w+ {2}version 2/)

    const restore = (version: string) => platen('templates', 'restore', 'dry', '--version', version, '--dry-run')
    t.match(await restore('1'), { code: 0, stdout: /would be version 3, as 1 was/ })
    t.match(await restore('2'), { code: 0, stdout: /is the same as version 2/ })
    t.match(await restore('9'), { code: 1, stderr: /TEMPLATE_NOT_FOUND|VERSION/ })
    t.equal(jsonLines(await platen('templates', 'history', 'dry', '--json')).length, 2)
    t.match(jsonLines(await platen('templates', 'history', 'dry', '--last', '1', '--json')), [{ version: 2 }])
    t.equal((await platen('templates', 'history', 'dry', '--until', '1h')).stdout, '')
  },
)

t.test('partials are pulled and pushed with the templates that use them', async (t) => {
  const folder = t.testdir({
    letter: { 'template.html': '{{> head}}<p>Hello' },
    plain: { 'template.html': '<p>Plain' },
    // Pushed in alphabetical order, each would be refused.
    _partials: { 'head.html': '<b>{{> name}}</b>', 'name.html': 'Ada', 'notes.txt': 'not read' },
  })
  const push = (...args: string[]) => platen('templates', 'push', folder, ...args)
  const first = await push()
  t.match(first, { code: 0, stdout: /partial name {2}created.*version 1\n.*partial head {2}created.*version 1\n/ })
  t.match(first.stdout, /letter {2}created(.|\n)*plain {2}created/)
  t.match(await push(), { code: 0, stdout: /letter {2}unchanged(.|\n)*plain {2}unchanged/ })

  await writeFile(join(folder, '_partials/name.html'), 'Grace')
  const second = jsonLines(await push('--json'))
  t.match(second, [
    { name: 'name', version: 2, change: 'updated' },
    { folder: join(folder, 'letter'), version: 2, change: 'updated' },
    { folder: join(folder, 'plain'), version: 1, change: 'unchanged' },
  ])
  const pulled = await mkdtemp(join(tmpdir(), 'platen-pulled-'))
  t.teardown(() => rm(pulled, { recursive: true }))
  t.match(await platen('templates', 'pull', pulled, 'letter'), { code: 0, stdout: /name\.html {2}version 2/ })
  t.equal(await readFile(join(pulled, '_partials/name.html'), 'utf8'), 'Grace')
  t.equal(await readFile(join(pulled, '_partials/head.html'), 'utf8'), '<b>{{> name}}</b>')

  await writeFile(join(pulled, '_partials/name.html'), 'Edited')
  t.match(await platen('templates', 'pull', pulled, 'letter'), { code: 1, stderr: join(pulled, '_partials/name.html') })
  await writeFile(join(pulled, '_partials/name.html'), 'Grace')

  // As after a push that was interrupted between the partial and the template.
  await writeFile(join(folder, '_partials/name.html'), 'Joan')
  const patched = await fetch(`${gateway.url}/v1/partials/name`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'if-match': '"2"' },
    body: JSON.stringify({ html: 'Joan' }),
  })
  t.equal(patched.status, 200)
  t.match(await push(), { code: 0, stdout: /letter {2}updated.*version 3\n.*plain {2}unchanged/ })
  t.match(await push(), { code: 0, stdout: /letter {2}unchanged(.|\n)*plain {2}unchanged/ })

  await writeFile(join(folder, '_partials/name.html'), 'Mary')
  await push()
  await writeFile(join(pulled, '_partials/name.html'), 'Lost')
  const stale = ['templates', 'push', pulled]
  t.match(await platen(...stale), { code: 1, stderr: 'the partial name is at version 4 and was pulled at 2' })
  t.match(await platen(...stale, '--force'), { code: 0, stdout: /partial name {2}updated.*version 5/ })
  await writeFile(join(pulled, '_partials/name.html'), '{{> head}}')
  t.match(await platen(...stale), { code: 1, stderr: /calls itself/ })
  await writeFile(join(pulled, '_partials/not a name.html'), 'x')
  t.match(await platen(...stale), { code: 1, stderr: 'cannot be the name of a partial' })
})

t.test('Ctrl-C during the first push of templates watch ends it', async (t) => {
  const template = () => ({ 'template.html': '<p>1' })
  const folder = t.testdir({ one: template(), two: template(), three: template() })
  const stop = new AbortController()
  const options = { signal: stop.signal, onLine: () => stop.abort() }
  const { code, stdout } = await platenWith(options, 'templates', 'watch', folder)
  t.match(
    { code, lines: stdout.trim().split('\n').length },
    { code: 0, lines: 1 },
    'after the template that was being pushed',
  )
  t.match(await platenWith({ signal: AbortSignal.abort() }, 'templates', 'watch', folder), { code: 0, stdout: '' })
})

t.test('partials are listed, and their versions also when they are deleted', async (t) => {
  for (const name of ['address', 'gone']) await gateway.call('POST', '/v1/partials', { body: { name, html: '<p>' } })
  await gateway.call('DELETE', '/v1/partials/gone')
  const listed = jsonLines(await platen('partials', 'list', '--json'))
  t.match(listed[0], { id: /^prt_/, name: 'address', version: 1, bytes: 3 })
  t.notOk(listed.some(({ name }) => name === 'gone'))
  t.match((await platen('partials', 'list')).stdout, /address +version 1 +3 bytes/)
  t.match(jsonLines(await platen('partials', 'history', 'gone', '--json')), [
    { version: 1, status: 'active', created_at: /^20/ },
    { version: 2, status: 'deleted' },
  ])
  t.match(await platen('partials', 'history', 'none'), { code: 1, stderr: /none does not exist \(PARTIAL_NOT_FOUND\)/ })
})

t.test('numbers keep their digits', async (t) => {
  const data = '{"order":12345678901234567890}'
  const folder = t.testdir({ big: { 'template.html': '<p>{{order}}', 'data.json': data } })
  t.match(await platen('templates', 'push', folder), { code: 0, stdout: /created/ })
  t.match(await platen('templates', 'push', folder), { stdout: /unchanged/ })
  t.match(await platen('templates', 'pull', folder, 'big'), { code: 0 })
  t.match(await readFile(join(folder, 'big/data.json'), 'utf8'), '12345678901234567890')
})

t.test('a key with the scope admin works on the templates of another owner', async (t) => {
  await createOwner(gateway.services.store, 'Acme')
  const folder = t.testdir({ letter: { 'template.html': '<p>theirs' } })
  t.match(await platen('templates', 'push', folder, '--owner', 'Acme'), { code: 0, stdout: /created/ })
  t.match(jsonLines(await platen('templates', 'list', '--owner', 'Acme', '--json')), [{ slug: 'letter' }])
  t.match(await platen('templates', 'list', '--owner', 'nobody'), { code: 1, stderr: 'there is no owner nobody' })
  const own = { ...env, API_KEY: await gateway.issueKey('templates:read') }
  t.match(await runCli(own, ['templates', 'list', '--owner', 'own_default']), { code: 1, stderr: '(FORBIDDEN)' })
})

t.test('without a key or a gateway, the message says what to set', async (t) => {
  t.match(await runCli({ PLATEN_URL: gateway.url }, ['templates', 'list']), { code: 1, stderr: 'API_KEY must be set' })
  const nowhere = { ...env, PLATEN_URL: 'http://127.0.0.1:9' }
  t.match(await runCli(nowhere, ['templates', 'list']), { code: 1, stderr: 'see that Platen runs' })
  const schemeless = { ...env, PLATEN_URL: '127.0.0.1:3000' }
  t.match(await runCli(schemeless, ['templates', 'list']), {
    code: 1,
    stderr: 'PLATEN_URL must be the URL of the gateway',
  })
})

t.test('a folder is deployed by its slug, also where its id is unknown', async (t) => {
  const folder = t.testdir({ 'Order Note': { 'template.html': '<p>one' } })
  const path = join(folder, 'Order Note')
  const first = JSON.parse((await platen('templates', 'push', path, '--json')).stdout)
  t.match((await platen('templates', 'list')).stdout, /order-note/)
  await rm(join(path, 'template.json'))
  t.match(await platen('templates', 'push', path), { code: 0, stdout: /unchanged/ }, 'a clone without the id')
  await writeFile(join(path, 'template.html'), '<p>two')
  t.match(JSON.parse((await platen('templates', 'push', path, '--json')).stdout), { id: first.id, version: 2 })

  await gateway.call('DELETE', '/v1/templates/order-note')
  t.match((await platen('templates', 'list', '--deleted')).stdout, new RegExp(`${first.id} +order-note.*20\\d\\d-`))
  t.match(await platen('templates', 'push', path), { code: 0, stdout: /created {2}tpl_\w+ {2}version 1/ })
})

t.test('a template whose assets were replaced is saved again, so that it prints the new ones', async (t) => {
  const folder = t.testdir({
    brand: { 'brand.css': 'p { color: red }' },
    branded: { 'template.html': '<link rel=stylesheet href="asset:brand.css"><p>x' },
  })
  const push = async (...args: string[]) => (await platen('templates', 'push', join(folder, 'branded'), ...args)).stdout
  await platen('assets', 'push', join(folder, 'brand'))
  t.match(await push(), 'created')
  t.match(await push(), 'unchanged')
  await writeFile(join(folder, 'brand', 'brand.css'), 'p { color: blue }')
  await platen('assets', 'push', join(folder, 'brand'))
  t.match(await push('--dry-run'), 'would be updated')
  t.match(await push(), /updated .* version 2/)
  t.match(await push(), 'unchanged')
  await gateway.call('DELETE', '/v1/assets/brand.css?force=true')
  t.match(await push(), 'unchanged', 'a version with a deleted asset stays as it is')
})
