import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decode } from 'fast-png'
import t from 'tap'
import { jsonLines, runCli } from '../../cli/src/testing/run-cli.ts'
import { ownerOfSharedPlaten } from '../support/shared-platen.ts'

// `platen templates diff --pages`, as a CI job calls it.

const platen = await ownerOfSharedPlaten()
const env = { PLATEN_URL: platen.url, API_KEY: platen.apiKey, DATA_DIR: '/nonexistent' }
const diff = (...args: string[]) => runCli(env, ['templates', 'diff', ...args])

const style =
  '<style>@page{size:80mm 60mm;margin:0}body,h1{margin:0}section{position:relative;height:50mm;break-after:page}section:last-child{break-after:auto}b{position:absolute;background:#07c}</style>'
const section = (text: string) => `<section><h1>${text}</h1></section>`
const square = '<b style="left:40mm;top:30mm;width:10mm;height:5mm"></b>'
const book = (...parts: string[]) => `${style}${parts.join('')}`

const [one, two, three] = ['The first chapter', 'A second one', 'Number three'].map(section)
await platen.json('/v1/templates', { body: { name: 'Book', html: book(`${one}${two}${three}`) } })
const changed = `${one}${section('Inserted')}${two?.replace('</section>', `${square}</section>`)}`
await platen.json('/v1/templates/book', { method: 'PATCH', body: { html: book(changed) } })
await platen.json('/v1/templates/book/labels/published', { method: 'PUT', body: { version: 1 } })

t.test('pages are listed with their shares and boxes', async (t) => {
  const { code, stdout, stderr } = await diff('book', '--from', 'published', '--pages')
  t.equal(code, 1)
  const [same, added, changed, removed, ...more] = stdout.trim().split('\n')
  t.same(more, [])
  t.equal(same, '1 → 1  same')
  t.equal(added, '- → 2  added')
  t.match(changed, /^2 → 3 {2}changed {2}1(\.\d)? % {2}1\d(\.\d)? × 5(\.\d)? mm at (39|40)(\.\d)?, (29|30)(\.\d)?$/)
  t.equal(removed, '3 → -  removed')
  t.equal(stderr, '3 of 4 pages differ\n')
  t.match(await diff('book', '--from', '2', '--to', '2', '--pages'), { code: 0, stderr: '' })
})

t.test('the threshold is a share of each page', async (t) => {
  await platen.json('/v1/templates', { body: { name: 'Square', html: book(one ?? '') } })
  const marked = one?.replace('</section>', `${square}</section>`) ?? ''
  await platen.json('/v1/templates/square', { method: 'PATCH', body: { html: book(marked) } })
  const share = jsonLines(await diff('square', '--pages', '--json'))[0].share
  // 50 of 4,800 square millimetres.
  t.ok(Math.abs(share - 50 / 4_800) < 0.001, String(share))
  const within = (threshold: string, slug = 'square') => diff(slug, '--pages', '--threshold', threshold)
  t.match(await within(`${share}`), { code: 0, stderr: '' })
  t.match(await within(`${share - 0.0001}`), { code: 1, stderr: /^1 of 1 pages differ by more than [\d.]+ %\n$/ })
  t.match(await within('0.5', 'book'), { code: 1, stderr: /2 of 4/ }, 'a page that was added or removed differs wholly')
  t.match(await within('1', 'book'), { code: 0 })
})

t.test('a picture of each page that is not the same has both sides, with frames around the boxes', async (t) => {
  const out = join(t.testdir({}), 'made/by/it')
  const { code, stdout } = await diff('book', '--pages', '--out', out)
  t.equal(code, 1)
  const names = ['page-002-added.png', 'page-003-changed.png', 'page-004-removed.png']
  t.same(await readdir(out), names)
  for (const name of names) t.ok(stdout.includes(join(out, name)), name)
  const picture = async (name: string) => {
    const { width, height, channels, data } = decode(await readFile(join(out, name)))
    t.equal(channels, 3)
    const colour = (x: number, y: number) => [...data.subarray(3 * (y * width + x), 3 * (y * width + x) + 3)]
    return { width, height, colour }
  }
  const pageWidth = 302
  const changed = await picture('page-003-changed.png')
  t.ok(Math.abs(changed.width - (2 * pageWidth + 3 * 16)) <= 4, String(changed.width))
  t.ok(Math.abs((await picture('page-002-added.png')).width - (pageWidth + 2 * 16)) <= 2)
  const pixels = (mm: number) => Math.round((mm / 25.4) * 96)
  const right = (changed.width - 16) / 2
  const [middle, top] = [16 + pixels(45), 16 + pixels(30)]
  t.same(changed.colour(middle, top + 9), [255, 255, 255], 'older')
  t.same(changed.colour(Math.round(middle + right), top + 9), [0, 119, 204], 'newer')
  for (const x of [middle, Math.round(middle + right)]) {
    const above = Array.from({ length: 12 }, (_, at) => changed.colour(x, top - at))
    t.ok(
      above.some((colour) => colour.join() === '214,40,40'),
      'the frame is above the box',
    )
  }

  await writeFile(join(out, 'notes.txt'), 'of the author')
  t.match(await diff('book', '--from', '1', '--to', '1', '--pages', '--out', out), { code: 0 })
  t.same(await readdir(out), ['notes.txt'], 'pictures of an earlier run are removed')
})

t.test('a line of JSON is a page as the API has it, without the bytes of pictures', async (t) => {
  const out = t.testdir({})
  const lines = jsonLines(await diff('book', '--pages', '--json', '--out', out))
  t.same(lines[0], {
    status: 'same',
    share: 0,
    boxes: [],
    from: { page: 1, width: 80.1, height: 59.9 },
    to: { page: 1, width: 80.1, height: 59.9 },
  })
  t.match(lines[1], { status: 'added', share: 1, picture: join(out, 'page-002-added.png') })
  t.notOk(JSON.stringify(lines).includes('image'))
})

t.test('data come from a file, and keep their digits', async (t) => {
  await platen.json('/v1/templates', { body: { name: 'Order', html: '<p>{{id}}', sample_data: { id: 1 } } })
  await platen.json('/v1/templates/order', {
    method: 'PATCH',
    body: { html: '<p>{{#if (eq id 12345678901234567890)}}big{{/if}}' },
  })
  const folder = t.testdir({ 'big.json': '{"id": 12345678901234567890}', 'bad.json': '{', 'list.json': '[]' })
  const withData = (name: string) => diff('order', '--pages', '--data', join(folder, name))
  t.match(await withData('big.json'), { code: 1, stdout: /changed/ })
  t.match(await withData('bad.json'), { code: 2, stderr: /bad\.json is not JSON/ })
  t.match(await withData('none.json'), { code: 2, stderr: /none\.json cannot be read: ENOENT/ })
  t.match(await withData('list.json'), { code: 2, stderr: /data must be an object.*\(VALIDATION_ERROR\)/ })
})

t.test('what cannot be compared has the exit code 2', async (t) => {
  t.match(await diff('none', '--pages'), { code: 2, stderr: /\(TEMPLATE_NOT_FOUND\)/ })
  t.match(await diff('book', '--pages', '--from', 'draft'), { code: 2, stderr: /\(LABEL_NOT_FOUND\)/ })
  t.match(await diff('book', '--pages', '--from', '7'), { code: 2, stderr: /has no version 7/ })
  for (const share of ['2', '-1', '1%', 'x', '1e-3', '.']) {
    t.match(
      await diff('book', '--pages', `--threshold=${share}`),
      { code: 2, stderr: /--threshold must be a number/ },
      share,
    )
  }
  for (const option of ['--data=x', '--threshold=0', '--out=x']) {
    t.match(await diff('book', option), { code: 2, stderr: /needs --pages; see templates diff --help/ }, option)
  }
  const { key } = (await platen.json<{ key: string }>('/v1/keys', { body: { name: 'k', scopes: ['templates:read'] } }))
    .body
  const reader = await runCli({ ...env, API_KEY: key }, ['templates', 'diff', 'book', '--pages'])
  t.match(reader, { code: 2, stderr: /lacks the scope generate \(FORBIDDEN\)/ })
  const nowhere = await runCli({ ...env, PLATEN_URL: 'http://127.0.0.1:9' }, ['templates', 'diff', 'book', '--pages'])
  t.match(nowhere, { code: 2, stderr: /NETWORK_ERROR/ })
})

t.test('warnings of a version are named', async (t) => {
  await platen.json('/v1/templates', { body: { name: 'Missing', html: '<p>{{a}}{{b}}' } })
  await platen.json('/v1/templates/missing', { method: 'PATCH', body: { html: '<p>' } })
  t.match(await diff('missing', '--pages'), {
    code: 0,
    stderr: 'version 1 was printed with 2 warnings: MISSING_VALUE\n',
  })
})

t.test('if the pictures are too large to be sent, the pages are listed without them', async (t) => {
  // Noise, which cannot be compressed: 4 MB at least for each side of a page.
  const noise = (seed: number) =>
    `<style>@page{size:1400px 1200px;margin:0}body{margin:0}canvas{display:block;break-after:page}</style>${'<canvas width=1400 height=1200></canvas>'.repeat(5)}<script>let s=${seed};for(const e of document.querySelectorAll("canvas")){const c=e.getContext("2d"),i=c.createImageData(1400,1200),d=new Uint32Array(i.data.buffer);for(let k=0;k<d.length;k++){s^=s<<13;s^=s>>>17;s^=s<<5;d[k]=s|0xff000000}c.putImageData(i,0,0)}</script>`
  await platen.json('/v1/templates', { body: { name: 'Noise', html: noise(1) } })
  await platen.json('/v1/templates/noise', { method: 'PATCH', body: { html: noise(2) } })
  const out = t.testdir({})
  t.match(await diff('noise', '--pages', '--out', out), {
    code: 1,
    stdout: /1 → 1 {2}changed {2}\d+ %/,
    stderr: /no pictures are written: compare: The images of the pages have more than 32 MiB/,
  })
  t.same(await readdir(out), [])
})
