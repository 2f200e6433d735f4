import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { openTemplateEngine } from '@platen/templating/handlebars/engine.ts'
import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import t from 'tap'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

/** Renders a page for the reader of codes (zxing-cpp), which has no part in making them. */
const hasPdftoppm = spawnSync('pdftoppm', ['-v']).error === undefined

const epc =
  'BCD\n002\n1\nSCT\nBFSWDE33BER\nWikimedia Förderges.\nDE33100205000001194700\nEUR123.45\n\n\nInvoice 2026-0042'

const codes: [call: string, format: string, text: string][] = [
  ['{{qrcode "https://example.com/?a=1&b=2"}}', 'QRCode', 'https://example.com/?a=1&b=2'],
  ['{{qrcode "žluťoučký 漢字 😀" size="40mm" level="H"}}', 'QRCode', 'žluťoučký 漢字 😀'],
  ['{{qrcode epc level="M" size="35mm"}}', 'QRCode', epc],
  ['{{qrcode long size="90mm" level="L"}}', 'QRCode', 'x7'.repeat(700)],
  ['{{barcode "INV-2026-0042" type="code128"}}', 'Code128', 'INV-2026-0042'],
  ['{{barcode "0012345678" type="code128" text=true width="60mm" height="10mm"}}', 'Code128', '0012345678'],
  ['{{barcode "4006381333931" type="ean13"}}', 'EAN13', '4006381333931'],
  ['{{barcode "400638133393" type="ean13" text=false}}', 'EAN13', '4006381333931'],
  ['{{barcode "96385074" type="ean8"}}', 'EAN8', '96385074'],
  ['{{barcode "036000291452" type="upca"}}', 'EAN13', '0036000291452'],
  ['{{barcode "ABC 123" type="code39"}}', 'Code39', 'ABC 123'],
  ['{{barcode "15400141288763" type="itf14"}}', 'ITF', '15400141288763'],
  ['{{barcode "(01)09521234543213(10)ABC" type="gs1-128"}}', 'Code128', '(01)09521234543213(10)ABC'],
  ['{{barcode "größe ß" type="datamatrix"}}', 'DataMatrix', 'größe ß'],
  ['{{barcode "größe ß" type="pdf417" width="60mm"}}', 'PDF417', 'größe ß'],
  ['{{barcode "漢字 größe" type="aztec"}}', 'Aztec', '漢字 größe'],
  ['{{barcode "Hello DataMatrix 123456" type="datamatrix"}}', 'DataMatrix', 'Hello DataMatrix 123456'],
  ['{{barcode "(01)09521234543213(10)ABC" type="gs1datamatrix"}}', 'DataMatrix', '(01)09521234543213(10)ABC'],
  ['{{barcode "PDF417 text" type="pdf417" width="60mm"}}', 'PDF417', 'PDF417 text'],
  ['{{barcode "Aztec text" type="aztec"}}', 'Aztec', 'Aztec text'],
]

t.test('printed codes are read back', { skip: hasPdftoppm ? false : 'pdftoppm is not installed' }, async (t) => {
  const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
  await prepareZXingModule({
    overrides: { wasmBinary: (await readFile(wasm)).buffer as ArrayBuffer },
    fireImmediately: true,
  })
  await using engine = openTemplateEngine({ workers: 1, timeoutMs: 60_000 })
  await using printer = await openTestPrinter()
  const html = codes.map(([call]) => `<div style="break-after: page">${call}</div>`).join('')
  const { texts } = await engine.render({ sources: { html }, data: { epc, long: 'x7'.repeat(700) } })
  const { pdf, engine: browser } = await printer.printHtml(`<style>body { margin: 10mm }</style>${texts.html}`)
  t.equal(browser.mode, 'static')
  const folder = t.testdir({ 'codes.pdf': Buffer.from(pdf) })
  spawnSync('pdftoppm', ['-r', '150', '-gray', '-png', `${folder}/codes.pdf`, `${folder}/page`])
  for (const [index, [call, format, text]] of codes.entries()) {
    const number = String(index + 1).padStart(2, '0')
    const found = await readBarcodes(await readFile(`${folder}/page-${number}.png`), { textMode: 'HRI' })
    t.strictSame(
      found.map(({ format, text }) => [format, text]),
      [[format, text]],
      call,
    )
  }
})
