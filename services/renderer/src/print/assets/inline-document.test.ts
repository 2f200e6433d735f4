import { png, svg, ttf } from '@platen/test-support/asset-files.ts'
import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import { type AssetFiles, testAssets } from '@platen/test-support/renderer/test-assets.ts'
import t from 'tap'
import { readPdf } from '../../../../../test/support/read-pdf.ts'
import { readAssetUrls } from '../../inspect/asset-urls.ts'
import { drawPage } from '../../previews/page-images.ts'
import { PdfToolbox } from '../../tools/pdf-toolbox.ts'
import { inlineDocument } from './inline-document.ts'

const font = ttf.subarray(0, 200_000)
const files: AssetFiles = {
  'red.png': ['image/png', png(4, 4, [255, 0, 0])],
  'broken.png': ['image/png', png(4, 4, [255, 0, 0]).subarray(0, 30)],
  'logo.svg': ['image/svg+xml', Buffer.from(svg)],
  'some.ttf': ['font/ttf', font],
  'plain.css': ['text/css', Buffer.from('p { color: #00f }')],
  'brand.css': ['text/css', Buffer.from('h1 { background: url("red.png") repeat-x; color: #080 }'), ['red.png']],
  'importing.css': ['text/css', Buffer.from('@import "plain.css"; p { margin: 0 }'), ['plain.css']],
  'remote.css': ['text/css', Buffer.from('p { background: url(https://x.example/a.png) }')],
  'ends.css': ['text/css', Buffer.from('p::after { content: "</style>" }')],
  'latin.css': ['text/css', Buffer.from('p::after { content: "\xe9" }', 'latin1')],
  'by-url.css': ['text/css', Buffer.from('img[src$=".png"] { border: 1px solid }')],
  'moving.css': ['text/css', Buffer.from('@keyframes a { to { color: red } } p { animation: a 1s }')],
  'large.png': ['image/png', Buffer.alloc(300_000)],
}

const inlined = async (html: string) => {
  const text = readAssetUrls(html)
  return text && (await inlineDocument(html, text, testAssets(files)))
}

t.test('pictures and fonts become data URLs, linked style sheets elements', async (t) => {
  const red = `data:image/png;base64,${png(4, 4, [255, 0, 0]).toString('base64')}`
  const documents: [html: string, expected: string][] = [
    ['<img src=asset:red.png alt=a>', `<img src="${red}" alt=a>`],
    ['<img srcset="asset:red.png 1x, asset:red.png 2x">', `<img srcset="${red} 1x, ${red} 2x">`],
    ['<p style="background: url(asset:red.png)">', `<p style="background: url(${red})">`],
    ['<style>p{background:url("asset:red.png")}</style>', `<style>p{background:url("${red}")}</style>`],
    [
      `<meta charset=utf-8><link rel=StyleSheet href='asset:plain.css' media="print and (color)"><p>x`,
      '<meta charset=utf-8><style media="print and (color)">p { color: #00f }</style><p>x',
    ],
    [
      '<link href=asset:brand.css rel=stylesheet type=text/css>',
      `<style>h1 { background: url("${red}") repeat-x; color: #080 }</style>`,
    ],
  ]
  for (const [html, expected] of documents) t.equal((await inlined(html))?.html, expected, html)
  const { html = '', outline = '' } = (await inlined('<style>@font-face{src:url(asset:some.ttf)}</style>')) ?? {}
  t.ok(html.includes(font.toString('base64')))
  t.equal(outline, '<style>@font-face{src:url(data:font/ttf;base64,AA==)}</style>')
})

t.test('what a data URL would change is loaded by its URL', async (t) => {
  const documents = [
    '<svg><use href="asset:logo.svg#a"/></svg>',
    '<svg><rect fill="url(asset:logo.svg#a)"/></svg>',
    '<iframe src="asset:logo.svg"></iframe>',
    '<iframe srcdoc="<img src=asset:red.png>"></iframe>',
    '<img src="asset:logo.svg#star">',
    '<img src="asset:none.png">',
    '<img src="asset:red.png"><img src="asset:none.png">',
    '<img src="asset:some.ttf">',
    '<img src="asset:large.png">',
    `${'<style>@font-face{src:url(asset:some.ttf)}</style>'.repeat(2)}`,
    '<style>@import "asset:plain.css";</style>',
    '<link rel=preload as=image href="asset:red.png">',
    '<link rel="alternate stylesheet" title=b href="asset:plain.css">',
    '<link rel=stylesheet title=a href="asset:plain.css">',
    '<link rel=stylesheet disabled href="asset:plain.css">',
    '<p><link rel=stylesheet href="asset:plain.css">',
    '<svg><link rel=stylesheet href="asset:plain.css"></svg>',
    '<link rel=stylesheet href="asset:red.png">',
    ...['importing', 'remote', 'ends', 'latin', 'by-url'].map(
      (name) => `<link rel=stylesheet href="asset:${name}.css">`,
    ),
    '<style>img[ src$=".png"] { width: 1cm }</style><img src="asset:red.png">',
    '<style>img::after { content: attr(src) }</style><img src="asset:red.png">',
    `<meta http-equiv="Content-Security-Policy" content="img-src 'self'"><img src="asset:red.png">`,
  ]
  for (const html of documents) t.equal(await inlined(html), undefined, html)
})

t.test('the printed document is the same, pixel by pixel', async (t) => {
  await using printer = await openTestPrinter({ egress: 'none' })
  await using tools = new PdfToolbox({ timeoutMs: 20_000, memoryMb: 512, maxPages: 100, maxBytes: 1e7 })
  const viewer = { caller: { owner: 'own_1', key: 'key_1' }, signal: new AbortController().signal }
  const html = `<link rel=stylesheet href="asset:brand.css"><style>
      @font-face { font-family: B; src: url(asset:brand.ttf) } p { font-family: B; list-style: url(asset:red.png) }
      @page { size: A5; margin: 20mm; @top-left { content: url(asset:logo.svg) } }</style>
    <h1>Title</h1><p>Some text</p><img src="asset:logo.svg" width=60><img srcset="asset:red.png 2x" alt="red">
    <div style="background: url(asset:logo.svg) round; height: 3cm"></div>`
  const assets = testAssets({ ...files, 'brand.ttf': ['font/ttf', ttf] })
  const pictures: string[] = []
  const read: unknown[] = []
  // The comment has no other effect than that the assets are loaded by their URLs.
  for (const [document, isInlined] of [
    [html, true],
    [`${html}<!-- content-security-policy -->`, false],
  ] as const) {
    const text = readAssetUrls(document) ?? []
    t.equal((await inlineDocument(document, text, assets)) !== undefined, isInlined)
    const { pdf, warnings } = await printer.printHtml(document, { javascript: 'off' }, { assets })
    t.strictSame(warnings, [])
    read.push(await readPdf(pdf))
    const picture = await drawPage(tools, { pdf, page: 1, width: 600 }, viewer)
    pictures.push(Buffer.from(picture).toString('base64'))
  }
  t.strictSame(read[0], read[1])
  t.equal(pictures[0], pictures[1])
})

t.test('a broken picture has the warning of its name, and a style sheet that animates is followed', async (t) => {
  await using printer = await openTestPrinter({ egress: 'none' })
  const assets = testAssets(files)
  const broken = '<img src="asset:red.png"><img src="asset:broken.png" alt=b>'
  const { warnings } = await printer.printHtml(broken, {}, { assets })
  t.match(warnings, [
    { code: 'RESOURCE_FAILED', message: 'asset:broken.png: not an image that can be read', element: /^<img/ },
  ])
  t.equal(warnings.length, 1)
  const moving = '<link rel=stylesheet href="asset:moving.css"><p>x'
  const { engine } = await printer.printHtml(moving, {}, { assets })
  t.equal(engine.mode, 'scripted')
})
