import { writeFile } from 'node:fs/promises'
import { Chromiumly, HtmlConverter, PDFEngines, PdfFormat, UrlConverter } from 'chromiumly'

const { GOTENBERG_URL, API_KEY, PAGE_URL, HOOK_URL } = process.env
Chromiumly.configure({ endpoint: GOTENBERG_URL, username: 'platen', password: API_KEY })

const html = await new HtmlConverter().convert({
  html: Buffer.from('<link rel="stylesheet" href="style.css"><p>Hello</p>'),
  header: Buffer.from('<p style="font-size: 9px">Head</p>'),
  assets: [{ file: Buffer.from('p::after { content: " styled" }'), name: 'style.css' }],
  properties: { size: { width: '148mm', height: '210mm' }, margins: { top: 1, bottom: 1 }, printBackground: true },
})
await writeFile('html.pdf', html)

const url = await new UrlConverter().convert({ url: PAGE_URL, waitForExpression: 'document.readyState === "complete"' })
await writeFile('url.pdf', url)

await writeFile('merge.pdf', await PDFEngines.merge({ files: [html, url], metadata: { Title: 'Both' } }))

const archive = await new HtmlConverter().convert({
  html: Buffer.from('<title>Kept</title><p>Archived'),
  pdfFormat: PdfFormat.A_3b,
})
await writeFile('archive.pdf', archive)

await new HtmlConverter().convert({
  html: Buffer.from('<p>Later'),
  outputFilename: 'later',
  webhook: { webhookUrl: HOOK_URL, webhookErrorUrl: `${HOOK_URL}/error`, webhookExtraHttpHeaders: { 'x-order': '7' } },
})
