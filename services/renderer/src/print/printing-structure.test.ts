import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import t from 'tap'

const printer = await openTestPrinter()
t.teardown(() => printer[Symbol.asyncDispose]())

const html = `<title>Book</title><h1>One</h1><p>text</p><h2>Two &amp; a half</h2>
  <h1 style="break-before:page">Three</h1><table><caption>Sums</caption>
  <tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table><a href="https://example.com/x">link</a>
  <a href="#three">inside</a><p id=three>target</p>`

/** Outline, structure tree and links as a reader sees them. */
async function structureOf(pdf: Uint8Array) {
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: VerbosityLevel.ERRORS })
  try {
    const document = await task.promise
    const page = await document.getPage(document.numPages)
    const links = await page.getAnnotations()
    return {
      outline: titles(await document.getOutline()),
      tree: JSON.stringify(await page.getStructTree()),
      links: links.filter(({ subtype }) => subtype === 'Link').map(({ url, dest }) => url ?? dest),
    }
  } finally {
    await task.destroy()
  }
}

type Outline = { title: string; items: Outline }[]
const titles = (outline: Outline | null): unknown[] => (outline ?? []).map(({ title, items }) => [title, titles(items)])

for (const javascript of ['off', 'on'] as const) {
  t.test(`with javascript ${javascript}`, async (t) => {
    t.test('by default a PDF has no outline and no tags', async (t) => {
      const { pdf, engine } = await printer.printHtml(html, { javascript })
      t.equal(engine.mode, javascript === 'on' ? 'scripted' : 'static')
      t.match(await structureOf(pdf), { outline: [], tree: 'null' })
    })

    t.test('outline makes an outline from the headings', async (t) => {
      const { pdf, pages } = await printer.printHtml(html, { javascript, outline: true })
      t.equal(pages, 2)
      const { outline } = await structureOf(pdf)
      t.strictSame(outline, [
        ['One', [['Two & a half', []]]],
        ['Three', []],
      ])
    })

    t.test('the lines and blocks of a heading are separated in the outline', async (t) => {
      const headings = [
        ['State of<br>the <b>Estu</b>ary', 'State of the Estuary'],
        ['<span style="display:block">Größe</span><div>漢字 😀</div>', 'Größe 漢字 😀'],
        ['<span class=flex><i>1</i><i>Intro</i></span>', '1 Intro'],
        ['A <i>plain</i>er one<sup>2</sup>', 'A plainer one2'],
        ['<span style="text-transform:uppercase">upper<br>case</span>', 'UPPER CASE'],
        ['a(b<br>c)\\d', 'a(b c)\\d'],
        ['already <br> spaced', 'already spaced'],
        ['the last', 'the last'],
      ]
      const html = headings.map(([html]) => `<h2>${html}</h2>`).join('<p>text')
      const style = '<style>.flex { display: flex }</style>'
      const { pdf } = await printer.printHtml(`${style}<h1>Top<br>level</h1>${html}`, { javascript, outline: true })
      const { outline } = await structureOf(pdf)
      t.strictSame(outline, [['Top level', headings.map(([, title]) => [title, []])]])
    })

    t.test('tagged adds the structure tree', async (t) => {
      const { pdf, pages } = await printer.printHtml(html, { javascript, tagged: true })
      t.equal(pages, 2)
      const { outline, tree } = await structureOf(pdf)
      t.same(outline, [])
      for (const role of ['H1', 'Table', 'TH', 'Link']) t.match(tree, `"role":"${role}"`)
    })

    t.test('links keep their targets', async (t) => {
      const { links } = await structureOf((await printer.printHtml(html, { javascript })).pdf)
      t.strictSame(links, ['https://example.com/x', 'three'])
    })
  })
}
