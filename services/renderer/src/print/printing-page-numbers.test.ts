import { rendered } from '@platen/templating/handlebars/testing/rendered.ts'
import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import t from 'tap'

const printer = await openTestPrinter()
t.teardown(() => printer[Symbol.asyncDispose]())

interface TextItem {
  str: string
  hasEOL: boolean
}

/** What a reader finds: the lines of each page, and the pages that the links of the document lead to, in their order. */
async function readPages(pdf: Uint8Array) {
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: VerbosityLevel.ERRORS })
  try {
    const document = await task.promise
    const pages: string[][] = []
    const links: number[] = []
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number)
      const items = (await page.getTextContent()).items as TextItem[]
      const text = items.map(({ str, hasEOL }) => str + (hasEOL ? '\n' : '')).join('')
      pages.push(text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim()))
      for (const { dest } of await page.getAnnotations()) {
        const [target] = (await document.getDestination(dest)) ?? []
        if (target) links.push((await document.getPageIndex(target)) + 1)
      }
    }
    return { pages, links }
  } finally {
    await task.destroy()
  }
}

/** The entries of the contents list as they are printed. */
const entriesOf = (pages: string[][]) =>
  pages.flat().flatMap((line) => {
    const [, title, number] = /^(Chapter \d+.*?) (\d+|\?)$/.exec(line) ?? []
    return title === undefined ? [] : [{ title, number: Number(number) }]
  })

/** The page whose lines have a heading. Entries of the list have a number behind the title. */
const pageOf = (pages: string[][], title: string) => pages.findIndex((lines) => lines.includes(title)) + 1

const chapters = (count: number, height: string) =>
  Array.from({ length: count }, (_, at) => `<h2>Chapter ${at + 1}</h2><div style="height:${height}"></div>`).join('')

async function expectRight(t: Test, pdf: Uint8Array, count: number) {
  const { pages, links } = await readPages(pdf)
  const entries = entriesOf(pages)
  t.equal(entries.length, count)
  t.strictSame(
    entries.filter(({ title, number }) => pageOf(pages, title) !== number),
    [],
    'each number is the page where the heading is found',
  )
  t.strictSame(
    links,
    entries.map(({ number }) => number),
    'the links lead there',
  )
  return { pages, entries }
}
type Test = { equal: typeof t.equal; strictSame: typeof t.strictSame }

for (const javascript of ['off', 'on'] as const) {
  t.test(`with javascript ${javascript}`, async (t) => {
    t.test('a contents list has the pages of the headings', async (t) => {
      const html = rendered('<h1>Title</h1>{{toc levels="2"}}') + chapters(12, '90mm')
      const { pdf, warnings, engine } = await printer.printHtml(html, { javascript })
      t.equal(engine.mode, javascript === 'on' ? 'scripted' : 'static')
      t.strictSame(warnings, [])
      const { entries } = await expectRight(t, pdf, 12)
      t.ok(new Set(entries.map(({ number }) => number)).size > 4)
    })

    t.test('a list of several pages counts its own pages', async (t) => {
      const html = rendered('{{toc}}<div style="break-after:page"></div>') + chapters(150, '20mm')
      const { pdf } = await printer.printHtml(html, { javascript })
      const { entries } = await expectRight(t, pdf, 150)
      t.ok((entries[0]?.number ?? 0) > 2)
    })

    t.test('named pages, another paper, tags and an outline', async (t) => {
      const style = '<style>@page { size: A5 } @page wide { size: A5 landscape } .wide { page: wide }</style>'
      const html = `${style}${rendered('{{toc}}')}${chapters(4, '60mm')}<div class=wide>${chapters(2, '60mm').replaceAll('Chapter ', 'Chapter 9')}</div>`
      const { pdf } = await printer.printHtml(html, { javascript, tagged: true, outline: true })
      await expectRight(t, pdf, 6)
    })

    t.test('the numbers are those of the whole document if only some pages are printed', async (t) => {
      const html = rendered('{{toc}}<div style="break-after:page"></div>') + chapters(6, '200mm')
      const whole = entriesOf((await readPages((await printer.printHtml(html, { javascript })).pdf)).pages)
      const { pdf, pages } = await printer.printHtml(html, { javascript, page_ranges: '1' })
      t.equal(pages, 1)
      t.strictSame(entriesOf((await readPages(pdf)).pages), whole)
      t.ok((whole.at(-1)?.number ?? 0) > 3)
    })

    t.test('references show the page of an element', async (t) => {
      const id = 'ü x/"%41'
      const html = `${rendered('<p>Terms: page {{pageNumberOf id}}. Gone: {{pageNumberOf "gone"}}.</p>', { id })}
        <p style="break-before:page">2<p style="break-before:page" id='${id}'>3`
      for (const base_url of [undefined, 'https://example.com/a/b.html']) {
        const { pdf, warnings } = await printer.printHtml(html, { javascript, ...(base_url && { base_url }) })
        t.match((await readPages(pdf)).pages[0]?.join(' '), /^Terms: page 3\. Gone: \?\./)
        const message = 'pageNumberOf: no element has the id "gone"'
        t.strictSame(warnings, [{ code: 'PAGE_NUMBERS', message }])
      }
    })

    t.test('the list has the headings behind it, by level, with their lines and without hidden ones', async (t) => {
      const html = `<h1>Cover</h1><h2>Contents</h2>${rendered('{{toc levels="1-2"}}')}
        <h1 id=a>Chapter 1<br>goes on</h1><h2 id=a>Chapter 2</h2><h3>Chapter 3</h3><h2 class=no-toc>Chapter 4</h2>
        <h2 style="display:none">Chapter 5</h2><h2></h2><h1>Chapter 6 <i>&amp; more</i></h1>`
      const { pages } = await readPages((await printer.printHtml(html, { javascript })).pdf)
      t.strictSame(
        entriesOf(pages).map(({ title }) => title),
        ['Chapter 1 goes on', 'Chapter 2', 'Chapter 6 & more'],
      )
      const atEnd = `<h2>Chapter 1</h2>${rendered('{{toc}}')}`
      t.equal(entriesOf((await readPages((await printer.printHtml(atEnd, { javascript })).pdf)).pages).length, 1)
    })

    t.test('every style of the document wins over the default ones', async (t) => {
      const style = '<style>a { display: block } span { display: none } .toc-title { display: inline }</style>'
      const html = style + rendered('{{toc}}') + chapters(1, '1mm')
      const { pages } = await readPages((await printer.printHtml(html, { javascript })).pdf)
      t.strictSame(
        pages,
        [['Chapter 1', 'Chapter 1']].map((lines) => pages[0]?.filter((line) => lines.includes(line))),
      )
    })
  })
}

t.test('headings that a script makes are listed', async (t) => {
  const script = `<script>for (let n = 1; n < 4; n++) document.body.insertAdjacentHTML('beforeend',
    '<h2 style="break-before:page">Chapter ' + n + '</h2>')</script>`
  const { pdf } = await printer.printHtml(`<body>${rendered('{{toc}}')}${script}`)
  await expectRight(t, pdf, 3)
})

t.test('numbers that change with each print are a warning', async (t) => {
  const script = `<script>new MutationObserver(() => {
    const isEven = document.querySelector('.toc-page')?.textContent === '2'
    document.querySelector('#gap').style.breakAfter = isEven ? 'page' : 'auto'
  }).observe(document.body, { childList: true, subtree: true })</script>`
  const html = `<body>${rendered('{{toc}}')}${script}<p style="break-after:page">1<p id=gap>2</p>${chapters(1, '1mm')}`
  const { warnings } = await printer.printHtml(html)
  t.match(warnings, [{ code: 'PAGE_NUMBERS', message: /^page numbers of headings change with each print/ }])
})

t.test('a document without a list is printed once', async (t) => {
  const { pdf } = await printer.printHtml('<h1>Chapter 1</h1><nav class=toc></nav>')
  t.strictSame((await readPages(pdf)).pages, [['Chapter 1']])
})
