import { spawnSync } from 'node:child_process'
import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import t from 'tap'
import { withMetadata } from './metadata.ts'
import { countPages } from './page-count.ts'
import { reference } from './pdf-dictionary.ts'
import { readObjects } from './pdf-objects.ts'

const printer = await openTestPrinter()
t.teardown(() => printer[Symbol.asyncDispose]())

const hasPdfinfo = spawnSync('pdfinfo', ['-v']).error === undefined

interface Info {
  Title?: string
  Author?: string
  Subject?: string
  Keywords?: string
  Language?: string | null
}

async function infoOf(pdf: Uint8Array): Promise<Info> {
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: VerbosityLevel.ERRORS, stopAtErrors: true })
  try {
    const { Title, Author, Subject, Keywords, Language } = (await (await task.promise).getMetadata()).info as Info
    const entries = Object.entries({ Title, Author, Subject, Keywords, Language })
    return Object.fromEntries(entries.filter(([, value]) => value))
  } finally {
    await task.destroy()
  }
}

t.test('title, author and language of a document are in the PDF', async (t) => {
  const documents: [html: string, info: Info][] = [
    [
      '<html lang=de-AT><title> Über (uns) </title><meta name=Author content="Ada (A) \\ B">x',
      { Title: 'Über (uns)', Author: 'Ada (A) \\ B', Language: 'de-AT' },
    ],
    ['<p>nothing</p>', {}],
    ['<title></title><html lang=""><meta name=author content=" ">x', {}],
    ['<html lang=ar><meta name=author content="Größe 漢字 😀">x', { Author: 'Größe 漢字 😀', Language: 'ar' }],
    [
      '<title>The endobj keyword, /Author (x), stream and >> in a title</title><meta name=author content=Ada>x',
      { Title: 'The endobj keyword, /Author (x), stream and >> in a title', Author: 'Ada' },
    ],
    ['<html lang="x) /Evil (y"><meta name=author content=") /Evil (">x', { Author: ') /Evil (' }],
    [`<meta name=author content="${'long '.repeat(500)}">x`, { Author: 'long '.repeat(100).trim() }],
    [
      '<meta name=author content=x><img name=head><img name=documentElement><form name=getAttribute></form>',
      { Author: 'x' },
    ],
  ]
  for (const [html, info] of documents) {
    for (const javascript of ['off', 'on'] as const) {
      const { pdf, pages } = await printer.printHtml(html, { javascript })
      t.equal(pages, 1)
      t.equal(countPages(pdf), 1, 'the pages of an updated file are found')
      t.strictSame(await infoOf(pdf), info, `${html.slice(0, 60)}, javascript ${javascript}`)
    }
  }
})

t.test('description and keywords of a document are its subject and keywords', async (t) => {
  const html =
    '<html lang=en><title>T</title><meta name=Description content=" A \n short text "><meta name=keywords content="größe, (b)">x'
  for (const javascript of ['off', 'on'] as const) {
    const info = { Title: 'T', Subject: 'A short text', Keywords: 'größe, (b)', Language: 'en' }
    t.strictSame(await infoOf((await printer.printHtml(html, { javascript })).pdf), info)
    const document_info = { title: 'Überschrift', author: 'Ada', subject: 'Other' }
    const { pdf, pages } = await printer.printHtml(html, { javascript, document_info, tagged: true })
    t.equal(pages, 1)
    t.equal(countPages(pdf), 1)
    const replaced = { ...info, Title: 'Überschrift', Author: 'Ada', Subject: 'Other' }
    t.strictSame(await infoOf(pdf), replaced, 'the options replace them')
  }
})

t.test('pdfinfo reads the metadata', { skip: hasPdfinfo ? false : 'pdfinfo is not installed' }, async (t) => {
  const html =
    '<title>T</title><meta name=author content="Ä"><meta name=description content=D><meta name=keywords content="k, l">x'
  const folder = t.testdir({ 'a.pdf': Buffer.from((await printer.printHtml(html)).pdf) })
  const { stdout } = spawnSync('pdfinfo', [`${folder}/a.pdf`], { encoding: 'utf8' })
  for (const line of [/^Title: +T$/m, /^Author: +Ä$/m, /^Subject: +D$/m, /^Keywords: +k, l$/m]) t.match(stdout, line)
})

t.test('title, author and language set by a script are in the PDF', async (t) => {
  const html = `<html lang=fr><meta name=author content=old><script>
    document.title = 'new'; document.documentElement.lang = 'nl'; document.querySelector('meta').content = 'newer'</script>x`
  t.strictSame(await infoOf((await printer.printHtml(html)).pdf), { Title: 'new', Author: 'newer', Language: 'nl' })
})

t.test('a tagged PDF has its language already and gets its author', async (t) => {
  const html = '<html lang=de><meta name=author content=Ada><h1>x</h1>'
  const { pdf } = await printer.printHtml(html, { tagged: true })
  t.strictSame(await infoOf(pdf), { Author: 'Ada', Language: 'de' })
  const { trailer, object } = readObjects(pdf)
  const catalogue = object(reference(trailer, 'Root')).text
  t.equal(catalogue.split('/Lang').length, 2, 'the catalogue has one language')
})

t.test('metadata is appended to the unchanged file', async (t) => {
  const { pdf } = await printer.printHtml('<p>plain</p>')
  const updated = withMetadata(pdf, { lang: 'en', author: 'Ada' })
  t.ok(Buffer.from(updated.subarray(0, pdf.byteLength)).equals(pdf))
  const again = withMetadata(updated, { lang: 'de', author: 'Bo' })
  t.equal(again, updated, 'existing entries are kept')
  t.equal(withMetadata(pdf, { lang: '', author: '' }), pdf)
})

t.test('a PDF with an unexpected structure is returned unchanged', async (t) => {
  const metadata = { lang: 'en', author: 'Ada' }
  for (const text of ['no PDF', '%PDF-1.5\nstartxref\n0\n%%EOF', 'xref\n0 1\ntrailer\n<<>>\nstartxref\n0\n%%EOF']) {
    const pdf = Buffer.from(text)
    t.equal(withMetadata(pdf, metadata), pdf)
  }
})
