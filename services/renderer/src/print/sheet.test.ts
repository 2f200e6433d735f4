import { type PdfOptions, resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import t from 'tap'
import type { PageRules } from '../inspect/page-rules.ts'
import { chooseSheet, contentBox } from './sheet.ts'

const sheet = (options: PdfOptions = {}, rules: PageRules = {}) => {
  const { width, height, margin } = chooseSheet(resolvePdfOptions(options), rules)
  const sides = [margin.top, margin.right, margin.bottom, margin.left].map(Math.round)
  return `${Math.round(width)} x ${Math.round(height)}, ${sides.join(' ')}`
}

t.test('@page { size } chooses the paper', async (t) => {
  const cases: [string, string][] = [
    ['A5', '148 x 210'],
    ['a5 landscape', '210 x 148'],
    ['landscape', '297 x 210'],
    ['portrait', '210 x 297'],
    ['letter', '216 x 279'],
    ['Ledger', '279 x 432'],
    ['JIS-B5', '182 x 257'],
    ['100mm 150mm', '100 x 150'],
    ['10cm', '100 x 100'],
    ['8.5in 11in', '216 x 279'],
    ['auto', '210 x 297'],
    ['nonsense 3', '210 x 297'],
  ]
  for (const [size, expected] of cases) t.equal(sheet({}, { size }), `${expected}, 20 15 20 15`, size)
})

t.test('prefer_css_page_size: false ignores @page sizes', async (t) => {
  t.equal(sheet({ format: 'A3', prefer_css_page_size: false }, { size: 'A5' }), '297 x 420, 20 15 20 15')
})

t.test('landscape applies to a format, not to width and height', async (t) => {
  t.equal(sheet({ width: '100mm', height: '6in', landscape: true }), '100 x 152, 20 15 20 15')
  t.equal(sheet({ width: '288pt' }), '102 x 297, 20 15 20 15')
  t.equal(sheet({ landscape: true }), '297 x 210, 20 15 20 15')
})

t.test('each @page margin replaces that side of the options', async (t) => {
  t.equal(sheet({}, { margin: '1cm' }), '210 x 297, 10 10 10 10')
  t.equal(sheet({}, { margin: '1cm 2cm' }), '210 x 297, 10 20 10 20')
  t.equal(sheet({}, { margin: '0', 'margin-left': '5mm' }), '210 x 297, 0 0 0 5')
  t.equal(sheet({}, { margin: 'calc(1cm + 1mm)' }), '210 x 297, 20 15 20 15')
})

t.test('margins that leave no space on an @page sheet are dropped', async (t) => {
  t.equal(sheet({}, { size: '105pt 38pt' }), '37 x 13, 0 0 0 0')
  t.equal(sheet({ margin: { top: 200, bottom: 200 } }), '210 x 297, 200 15 200 15', 'the options are refused elsewhere')
})

t.test('the content box is in CSS pixels at the print scale', async (t) => {
  const a4 = chooseSheet(resolvePdfOptions())
  t.strictSame(contentBox(a4, 1), { width: 680, height: 971 })
  t.strictSame(contentBox(a4, 0.5), { width: 1361, height: 1943 })
})
