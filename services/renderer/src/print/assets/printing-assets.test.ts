import { png, svg, ttf } from '@platen/test-support/asset-files.ts'
import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import { type AssetFiles, testAssets } from '@platen/test-support/renderer/test-assets.ts'
import t from 'tap'
import { readPdf } from '../../../../../test/support/read-pdf.ts'
import type { JobAssets } from './job-assets.ts'
import { prepareAssets } from './prepare-assets.ts'

const printer = await openTestPrinter({ egress: 'none' })
t.teardown(() => printer[Symbol.asyncDispose]())

const css = [
  '@import "asset:base.css";',
  '@font-face { font-family: Brand; src: url(brand.ttf) }',
  'h1 { font-family: Brand; background: url("asset:red.png") }',
].join('\n')
const files: AssetFiles = {
  'red.png': ['image/png', png(4, 4, [255, 0, 0])],
  'logo.svg': ['image/svg+xml', Buffer.from(svg)],
  'brand.ttf': ['font/ttf', ttf],
  'brand.css': ['text/css', Buffer.from(css), ['base.css', 'brand.ttf', 'red.png']],
  'base.css': ['text/css', Buffer.from('p { color: #00f }')],
}

const assetsOf = (more: AssetFiles = {}) => testAssets({ ...files, ...more })

const bothModes = ['off', 'on'] as const

t.test('pictures, style sheets and the fonts in them are loaded without a network', async (t) => {
  const html =
    '<link rel=stylesheet href="asset:brand.css"><h1>Title</h1><p>Text</p><img src="asset:logo.svg"><img srcset="asset:red.png 1x">'
  for (const javascript of bothModes) {
    const { pdf, warnings } = await printer.printHtml(html, { javascript }, { assets: assetsOf() })
    t.strictSame(warnings, [], javascript)
    const [page] = await readPdf(pdf)
    t.match(page?.fonts.join(), /LiberationSans-BoldItalic/, javascript)
    t.equal(page?.images, 1, 'the SVG is drawn, the picture is an image')
  }
})

t.test('what is missing is named, and fail_on works', async (t) => {
  const html =
    '<link rel=stylesheet href="asset:none.css"><img src="asset:none.png"><style>p{background:url(asset:bg.png)}</style><p>x</p>'
  for (const javascript of bothModes) {
    const { warnings } = await printer.printHtml(html, { javascript }, { assets: assetsOf() })
    const missing = (name: string) => `asset:${name}: there is no asset of this name`
    t.strictSame(
      warnings.map(({ code, message }) => [code, message]).sort(),
      ['bg.png', 'none.css', 'none.png'].map((name) => ['RESOURCE_FAILED', missing(name)]),
    )
    t.match(warnings.find(({ message }) => message.includes('none.png'))?.element, /img/)
  }
  const failing = printer.printHtml(html, { fail_on: ['RESOURCE_FAILED'] }, { assets: assetsOf() })
  await t.rejects(failing, { code: 'RENDER_FAILED', message: /asset:none/ })
})

t.test('a document with very many asset URLs is refused before they are replaced', async (t) => {
  const html = '<img src="asset:red.png">'.repeat(20_001)
  await t.rejects(printer.printHtml(html, {}, { assets: assetsOf() }), {
    code: 'RENDER_LIMIT_EXCEEDED',
    message: 'The document has 20001 asset: URLs, at most 20000 are allowed',
  })
})

t.test('a URL that is not resolved is a warning, not a request', async (t) => {
  const assets = assetsOf()
  const html = '<img src="asset:../red.png"><script>document.write("<img src=asset:red.png>")</script>'
  const { warnings } = await printer.printHtml(html, {}, { assets })
  t.strictSame(
    warnings.map(({ message }) => message).sort(),
    ['asset:../red.png', 'asset:red.png'].map((url) => `${url}: not the name of an asset, or a URL made by a script`),
  )
  t.strictSame(assets.asked, [])
})

t.test('a script finds the URL of an asset in an element, also through a <base>', async (t) => {
  const html = `<base href="https://x.example/"><link id=a rel=preload as=image href="asset:red.png"><canvas width=9 height=9></canvas><script>
    const picture = new Image()
    picture.onload = () => {
      const context = document.querySelector('canvas').getContext('2d')
      context.drawImage(picture, 0, 0)
      document.title = context.getImageData(0, 0, 1, 1).data.join()
      document.body.append(document.title)
    }
    picture.src = document.getElementById('a').href
  </script>`
  const { pdf, warnings } = await printer.printHtml(html, {}, { assets: assetsOf() })
  t.strictSame(warnings, [])
  t.match((await readPdf(pdf))[0]?.text, '255,0,0,255')
})

t.test('a header and footer have pictures and style sheets in them, and name what they cannot have', async (t) => {
  const header =
    '<link rel=stylesheet href="asset:head.css"><img src="asset:logo.svg" width=40><b class=k>HEAD</b><img src="asset:none.png"><style>@font-face{font-family:B;src:url(asset:brand.ttf)}</style>'
  const assets = assetsOf({
    'head.css': [
      'text/css',
      Buffer.from('.k { color: #f00; padding-left: 40px; background: url(red.png) }'),
      ['red.png'],
    ],
  })
  const { pdf, warnings } = await printer.printHtml(
    '<p>Body',
    { margin: { top: 40 } },
    { assets, headerHtml: header, footerHtml: '<img src="asset:red.png" width=9>' },
  )
  const [page] = await readPdf(pdf)
  t.match(page?.text, 'HEAD')
  t.ok((page?.images ?? 0) >= 2, `${page?.images} images`)
  t.match(warnings, [
    { message: 'asset:none.png: there is no asset of this name', element: 'header_html' },
    { message: /^asset:brand.ttf: Chromium loads no fonts in headers/, element: 'header_html' },
  ])
})

t.test('page margin boxes have the pictures of the document, and the fonts that its text uses', async (t) => {
  const html = `<style>@font-face { font-family: B; src: url(asset:brand.ttf) }
    @page { margin: 30mm; @top-left { content: url(asset:logo.svg) } @bottom-right { font-family: B; content: 'Page ' counter(page) } }
    body::after { content: '.'; font-family: B; position: absolute; visibility: hidden }</style><p>Body`
  for (const javascript of bothModes) {
    const { pdf, warnings } = await printer.printHtml(html, { javascript }, { assets: assetsOf() })
    const [page] = await readPdf(pdf)
    t.strictSame(warnings, [])
    t.match(page?.text, 'Page 1')
    t.match(page?.fonts.join(), 'LiberationSans-BoldItalic', javascript)
    t.match(page?.fills.join(), '#0000ff', javascript)
  }
})

t.test('style sheets that import each other end', async (t) => {
  const assets = assetsOf({
    'a.css': ['text/css', Buffer.from('@import "b.css"; p { color: red }'), ['b.css']],
    'b.css': ['text/css', Buffer.from('@import "asset:a.css"; p { margin: 0 }'), ['a.css']],
  })
  const link = '<link rel=stylesheet href="asset:a.css">'
  const { pages, warnings } = await printer.printHtml(`${link}<p>x`, {}, { assets, headerHtml: link })
  t.match({ pages, warnings }, { pages: 1, warnings: [] })
})

t.test('of very many names only the first are looked up before the print', async (t) => {
  const assets = assetsOf()
  const text = Array.from({ length: 200_000 }, (_, at) => ({ asset: `a${at}`, suffix: '' }))
  await prepareAssets('', { html: text }, assets, new AbortController().signal)
  t.equal(assets.asked.length, 1_000)
})

t.test('a store that is unavailable fails the print, and a document without assets asks for none', async (t) => {
  const unavailable = new Error('unavailable')
  const assets: JobAssets = {
    find: () => Promise.reject(unavailable),
    read: () => Promise.reject(unavailable),
    pictureReferences: () => new Map(),
  }
  await t.rejects(printer.printHtml('<img src="asset:red.png">', {}, { assets }), unavailable)
  await t.rejects(printer.printHtml('<p>x', {}, { assets, footerHtml: '<img src="asset:red.png">' }), unavailable)
  const { warnings } = await printer.printHtml('<p>The asset: a house', {}, { assets, headerHtml: 'asset:red.png' })
  t.strictSame(warnings, [])
})
