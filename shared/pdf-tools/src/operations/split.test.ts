import t from 'tap'
import { readDestinations } from '../compose/destinations.ts'
import { readStructure } from '../compose/structure.ts'
import { nameIn } from '../pdf/entries.ts'
import type { PdfToolFailed } from '../task/pdf-tool-failed.ts'
import { judged, missing } from '../testing/judges.ts'
import { annotationsOf, opened, outlineOf } from '../testing/outline-of.ts'
import { samplePdf } from '../testing/sample-pdf.ts'
import { split } from './split.ts'

const bounds = { maxPages: 100, maxBytes: 10 * 2 ** 20 }

t.test('a part has what belongs to its pages, and nothing that leads to others', async (t) => {
  const { files } = await split({ bytes: await samplePdf({ pages: 3 }) }, { ranges: ['1-2', '3'] }, bounds)
  t.strictSame(
    files.map(({ pages }) => pages),
    [2, 1],
  )
  const [first, last] = await Promise.all(files.map(({ bytes }) => opened(bytes)))
  if (!first || !last) throw new Error('there are two parts')
  t.strictSame(outlineOf(first), [['One', 1, []]])
  t.strictSame(outlineOf(last), [
    ['One', 0, [['Below', 1, []]]],
    ['Two', 1, []],
  ])
  t.strictSame(
    annotationsOf(first, 1).map((dict) => nameIn(dict, 'Subtype')),
    ['Widget', 'Link'],
    'the link to page 3 is gone',
  )
  t.strictSame(annotationsOf(last, 1), [])
  const tags = [first, last].map(({ context, catalog }) =>
    readStructure(context, catalog)?.all.map(({ dict }) => nameIn(dict, 'S')),
  )
  t.strictSame(tags, [
    ['Document', 'Paragraph', 'Paragraph'],
    ['Document', 'Paragraph'],
  ])
  t.strictSame(
    [first, last].map(({ context, catalog }) => readDestinations(context, catalog).strings.size),
    [0, 1],
  )
  t.strictSame(
    [first, last].map(({ document }) => document.catalog.getAcroForm()?.getFields().length),
    [1, undefined],
  )
})

t.test('each page by itself, or groups', async (t) => {
  const source = { bytes: await samplePdf({ pages: 5 }) }
  t.strictSame(
    (await split(source, {}, bounds)).files.map(({ pages }) => pages),
    [1, 1, 1, 1, 1],
  )
  t.strictSame(
    (await split(source, { every: 2 }, bounds)).files.map(({ pages }) => pages),
    [2, 2, 1],
  )
})

t.test('ranges without pages, and too many pages, are refused', async (t) => {
  const source = { bytes: await samplePdf() }
  const reasonOf = (ranges: string[]) =>
    split(source, { ranges }, bounds).then(
      () => 'none',
      ({ reason, message }: PdfToolFailed) => `${reason}: ${message}`,
    )
  t.match(await reasonOf(['4-']), /invalid: The PDF has 3 pages, and none of 4-/)
  t.match(await reasonOf(['odd']), /invalid: page ranges are/)
  t.match(await reasonOf(Array(50).fill('all')), /too-many-pages: .*150 pages/)
})

t.test('the parts are bounded together', async (t) => {
  const source = { bytes: await samplePdf() }
  const sizes = (await split(source, {}, bounds)).files.map(({ bytes }) => bytes.byteLength)
  const all = sizes.reduce((sum, size) => sum + size, 0)
  t.ok(all - 1 > Math.max(...sizes), 'each is smaller')
  t.equal((await split(source, {}, { ...bounds, maxBytes: all })).files.length, 3)
  await t.rejects(split(source, {}, { ...bounds, maxBytes: all - 1 }), /The parts have more than/)
})

t.test('qpdf finds no error', { skip: missing('qpdf') }, async (t) => {
  const { files } = await split({ bytes: await samplePdf() }, {}, bounds)
  for (const { bytes } of files) t.equal(judged('qpdf', ['--check', 'FILE'], bytes).status, 0)
})
