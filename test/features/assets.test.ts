import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownScopes } from '@platen/domain/api-key/api-key.ts'
import { issueApiKey, newApiKey } from '@platen/domain/api-key/api-keys.ts'
import { createOwner } from '@platen/domain/owner/owners.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import t from 'tap'
import { png, svg, ttf } from '../support/asset-files.ts'
import { readJson } from '../support/platen.ts'
import { generate } from '../support/print.ts'
import { readPdf } from '../support/read-pdf.ts'
import { ownerOfSharedPlaten } from '../support/shared-platen.ts'
import { until } from '../support/until.ts'

const platen = await ownerOfSharedPlaten()

const red = png(8, 8, [255, 0, 0])
const css = '@font-face{font-family:Brand;src:url(brand.ttf)} h1{font-family:Brand;background:url("asset:red.png")}'

async function put(name: string, content: string | Buffer, headers: Record<string, string> = {}) {
  const body = new Uint8Array(Buffer.from(content))
  const init = { method: 'PUT', headers: { authorization: `Bearer ${platen.apiKey}`, ...headers }, body }
  return readJson<{ sha256: string; version: number }>(await fetch(`${platen.url}/v1/assets/${name}`, init))
}

for (const [name, content] of Object.entries({ 'red.png': red, 'logo.svg': svg, 'brand.ttf': ttf, 'brand.css': css }))
  await put(name, content)

/** The pages as pictures, by Poppler. Undefined if it is not installed. */
function pictures(pdf: Uint8Array): Buffer[] | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'platen-assets-'))
  writeFileSync(join(folder, 'a.pdf'), pdf)
  t.teardown(() => rmSync(folder, { recursive: true }))
  const { error, status } = spawnSync('pdftoppm', ['-r', '100', join(folder, 'a.pdf'), join(folder, 'page')])
  if (error) return undefined
  if (status !== 0) throw new Error(`pdftoppm ended with ${status}`)
  const pages = readdirSync(folder).filter((name) => name.endsWith('.ppm'))
  return pages.sort().map((name) => readFileSync(join(folder, name)))
}

const dataUrl = (type: string, content: string | Buffer) =>
  `data:${type};base64,${Buffer.from(content).toString('base64')}`

/** The document with assets, and the same document with everything inline. */
const both = (html: string) => {
  const whole: Record<string, string> = {
    'red.png': dataUrl('image/png', red),
    'logo.svg': dataUrl('image/svg+xml', svg),
    'brand.ttf': dataUrl('font/ttf', ttf),
    'brand.css': dataUrl(
      'text/css',
      css.replace('brand.ttf', dataUrl('font/ttf', ttf)).replace('asset:red.png', dataUrl('image/png', red)),
    ),
  }
  return { asset: html, data: html.replace(/asset:([\w.-]+)/g, (_, name: string) => whole[name] ?? '') }
}

t.test('a document with assets is the same, to the pixel, as one with data URLs', async (t) => {
  const body =
    both(`<link rel=stylesheet href="asset:brand.css"><style>@font-face{font-family:F;src:url(asset:brand.ttf)}
    i{font-family:F} p{background:url(asset:logo.svg) repeat-x;padding:2em}</style>
    <h1>Annual report</h1><p><i>in its own font</i></p><img src="asset:logo.svg" width=160><img srcset="asset:red.png 2x">
    <div style="background:url(asset:red.png);height:40px"></div><svg width=50 height=50><image href="asset:red.png" width=50 height=50 /></svg>`)
  const head = both(
    '<img src="asset:logo.svg" height=20><b style="background:url(asset:red.png)">head <span class=pageNumber></span></b>',
  )
  const printed = async (kind: 'asset' | 'data', javascript: string) => {
    const options = { header_html: head[kind], margin: { top: 30 }, javascript }
    const { pdf, generation } = await generate(platen, { html: body[kind], options })
    t.strictSame(generation.warnings, [], kind)
    return pdf
  }
  for (const javascript of ['off', 'on']) {
    const [asset, again, data] = [
      await printed('asset', javascript),
      await printed('asset', javascript),
      await printed('data', javascript),
    ]
    const seen = pictures(data)
    if (seen === undefined) return t.comment('pdftoppm is not installed')
    t.ok(
      pictures(asset)?.every((page, index) => seen[index]?.equals(page)),
      `${javascript}: the same pixels`,
    )
    t.ok(
      pictures(again)?.every((page, index) => seen[index]?.equals(page)),
      `${javascript}: each time`,
    )
    t.match((await readPdf(asset))[0]?.fonts.join(), /LiberationSans-BoldItalic/)
  }
})

t.test('a document shows the newest content, and a name that data makes is found', async (t) => {
  const colour = async () => {
    const body = { html: '<img src="asset:{{name}}.svg">', data: { name: 'state' } }
    return (await readPdf((await generate(platen, body)).pdf))[0]?.fills
  }
  await put('state.svg', svg)
  t.match(await colour(), ['#0000ff'])
  await put('state.svg', svg.replace('0000ff', '00ff00'))
  t.match(await colour(), ['#00ff00'])
})

t.test('a template version keeps the contents that it was saved with, also those that its partial names', async (t) => {
  const colours = async (version: number) => {
    const body = { template: 'with-mark', template_version: version }
    return (await readPdf((await generate(platen, body)).pdf))[0]?.fills
  }
  const colour = (code: string) => svg.replace('0000ff', code)
  await put('mark.svg', colour('110000'))
  await put('head.svg', colour('220000'))
  await platen.json('/v1/partials', { body: { name: 'letterhead', html: '<img src="asset:head.svg">' } })
  const body = { name: 'With mark', html: '{{> letterhead}}<img src="asset:mark.svg">' }
  const created = await platen.json<{ assets: Record<string, string> }>('/v1/templates', { body })
  t.match(created, { status: 201, body: { assets: { 'mark.svg': String, 'head.svg': String } } })
  await put('mark.svg', colour('330000'))
  await put('head.svg', colour('440000'))
  const patched = await platen.json('/v1/templates/with-mark', { method: 'PATCH', body: { html: `${body.html}<br>` } })
  t.match(patched, { status: 200, body: { version: 2 } })
  await platen.request('/v1/assets/mark.svg', { method: 'DELETE' })
  t.strictSame(await colours(1), ['#220000', '#110000'])
  t.strictSame(await colours(2), ['#440000', '#330000'])
  const unknown = { name: 'Unknown', html: '<img src="asset:no.png">' }
  t.match(await platen.json('/v1/templates', { body: unknown }), {
    status: 422,
    body: { error: { message: /html, line 1, column 11: there is no asset "no.png"/ } },
  })
})

t.test('an asset that is missing is a warning, or an error if fail_on says so', async (t) => {
  const html = '<p>x<img src="asset:nothing.png">'
  const { generation } = await generate(platen, { html })
  t.match(generation.warnings, [
    { code: 'RESOURCE_FAILED', message: 'asset:nothing.png: there is no asset of this name' },
  ])
  const failed = await platen.json('/v1/generate', { body: { html, options: { fail_on: ['RESOURCE_FAILED'] } } })
  t.match(failed, { status: 422, body: { error: { code: 'RENDER_FAILED', message: /asset:nothing\.png/ } } })
})

t.test('an asset whose stored bytes are not those that were uploaded is not printed', async (t) => {
  const { body } = await put('damaged.svg', svg.replace('0000ff', '555555'))
  const folder = join(platen.dataDir, 'objects/assets')
  const [stored = ''] = readdirSync(folder).filter((name) => name.includes(body.sha256))
  writeFileSync(join(folder, stored), svg.replace('0000ff', '666666'))
  const { generation, pdf } = await generate(platen, { html: '<p>x<img src="asset:damaged.svg">' })
  t.match(generation.warnings, [{ code: 'RESOURCE_FAILED', message: /^asset:damaged\.svg: / }])
  t.notMatch((await readPdf(pdf))[0]?.fills.join(), '#666666')
})

t.test("another owner's document gets nothing, whatever names and hashes it guesses", async (t) => {
  const store = await openEventStore(`sqlite:${join(platen.dataDir, 'events.db')}`)
  t.teardown(() => store.close())
  const key = newApiKey()
  const ownerId = await createOwner(store, 'Other')
  await issueApiKey(store, { key, name: 'other', scopes: ownScopes, ownerId })
  const headers = { authorization: `Bearer ${key}` }
  await until(async () => (await platen.request('/v1/assets', { headers })).status === 200 || undefined, 'no key')
  const { body: mine } = await put('logo.svg', svg)
  const urls = [
    'asset:logo.svg',
    `asset:${mine.sha256}`,
    `asset:${platen.ownerId}.${mine.sha256}`,
    `asset:..%2f${platen.ownerId}.${mine.sha256}`,
    `/${mine.sha256}`,
    `/assets/${platen.ownerId}.${mine.sha256}`,
  ]
  const html = urls.map((url) => `<img src="${url}" width=20 height=20>`).join('')
  for (const javascript of ['off', 'on']) {
    const { generation, pdf } = await generate(platen, { html, options: { javascript } }, headers)
    t.equal(generation.warnings?.length, urls.length, JSON.stringify(generation.warnings))
    t.notMatch((await readPdf(pdf))[0]?.fills.join(), '#0000ff')
  }
  const own = await generate(platen, { html, options: { javascript: 'off' } })
  t.match((await readPdf(own.pdf))[0]?.fills.join(), '#0000ff', 'the owner gets the one that is a name')
})
