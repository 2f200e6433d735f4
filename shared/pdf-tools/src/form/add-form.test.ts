import { PDFDocument, PDFName, PDFRadioGroup, PDFString } from '@cantoo/pdf-lib'
import t from 'tap'
import { runTask } from '../run/run-task.ts'
import type { FormInput } from '../task/document-form.ts'
import type { PdfBounds } from '../task/task.ts'
import { judged, missing } from '../testing/judges.ts'
import { annotationsOf, opened } from '../testing/outline-of.ts'

const bounds: PdfBounds = { timeoutMs: 30_000, memoryMb: 512, maxPages: 100, maxBytes: 50 * 2 ** 20 }
const url = 'https://here.invalid/'

const input = (more: Partial<FormInput> & Pick<FormInput, 'type' | 'name'>): FormInput => ({
  label: '',
  isReadOnly: false,
  isRequired: false,
  width: 100,
  fontSize: 16,
  color: [0, 0, 0],
  value: '',
  ...more,
})
const text = { isMultiline: false, isPassword: false, align: 'left' } as const
const radio = (value: string, isOn = false) =>
  input({ type: 'radio', name: 'fee', value, label: value, button: { isOn, group: 1, groupLabel: 'Fee' } })

/** A page with a link for each index, and a link to elsewhere. */
async function printed(indices: readonly number[]): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const page = document.addPage([300, 400])
  for (const [at, target] of ['https://example.com/', ...indices.map((index) => url + index)].entries()) {
    const Rect = [20, 20 + at * 30, 95, 40 + at * 30]
    const A = { S: 'URI', URI: PDFString.of(target) }
    page.node.addAnnot(
      document.context.register(document.context.obj({ Type: 'Annot', Subtype: 'Link', Rect, A } as never)),
    )
  }
  return document.save()
}

async function withForm(fields: FormInput[], indices = fields.map((_, index) => index)) {
  const sources = [{ bytes: await printed(indices) }]
  const task = { sources, files: {}, operation: { operation: 'steps' }, form: { url, fields } } as const
  const { files, warnings, steps } = await runTask(task, bounds)
  const bytes = files[0]?.bytes ?? new Uint8Array()
  const pdf = await opened(bytes)
  return { bytes, pdf, form: pdf.document.getForm(), warnings: warnings.map(({ message }) => message), steps }
}

t.test('links of the document stay, and those of inputs become widgets in their place', async (t) => {
  const { pdf, form, steps } = await withForm([input({ type: 'text', name: 'a', value: 'Ada', text })])
  t.match(steps, [{ step: 'form_fields' }])
  const [link, widget, ...more] = annotationsOf(pdf, 1)
  t.strictSame(more, [])
  t.match(link?.toString(), /\/Link[\s\S]*example\.com/)
  t.match(widget?.toString(), /\/Subtype \/Widget[\s\S]*\/F 4/)
  t.notMatch(widget?.toString(), /URI|invalid/)
  const field = form.getTextField('a')
  t.equal(field.getText(), 'Ada')
  const [only] = field.acroField.getWidgets()
  t.strictSame(only?.getRectangle(), { x: 20, y: 50, width: 75, height: 20 })
  t.match(only?.dict.get(PDFName.of('DA'))?.toString(), /\/Helv 12 Tf 0 0 0 rg/, 'the size of the text on the page')
  t.ok(only?.dict.has(PDFName.of('AP')))
})

t.test('radio buttons of a group are one field, with values of any characters', async (t) => {
  const { form } = await withForm([radio('full'), radio('half', true)])
  const group = form.getRadioGroup('fee')
  t.strictSame([group.getOptions(), group.getSelected()], [['full', 'half'], 'half'])
  const other = (await withForm([radio('voll'), radio('ermäßigt', true)])).form.getFields()
  t.equal(other.length, 1)
  const [german] = other
  if (!(german instanceof PDFRadioGroup)) throw new Error('it is a group')
  t.strictSame([german.getOptions(), german.getSelected()], [['voll', 'ermäßigt'], 'ermäßigt'])
})

t.test('a choice has the values of its options, and shows their texts', { skip: missing('pdftotext') }, async (t) => {
  const options = [
    { value: 'DE', text: 'Germany', isSelected: false },
    { value: 'FR', text: 'France', isSelected: true },
  ]
  const choice = { isMultiple: false, isList: false, options }
  const { form, bytes } = await withForm([input({ type: 'choice', name: 'country', choice })])
  t.strictSame(form.getDropdown('country').getSelected(), ['FR'])
  t.match(judged('pdftotext', ['FILE', '-'], bytes).output, 'France')
  for (const chosen of ['DE', 'Germany']) {
    const operation = { operation: 'fill', fields: { country: chosen } } as const
    const { files } = await runTask({ sources: [{ bytes }], files: {}, operation }, bounds)
    const filled = files[0]?.bytes ?? new Uint8Array()
    t.strictSame((await opened(filled)).document.getForm().getDropdown('country').getSelected(), ['DE'], chosen)
    t.match(judged('pdftotext', ['FILE', '-'], filled).output, 'Germany')
  }
})

t.test('names are unique, with a warning, and those with periods are below each other', async (t) => {
  const fields = ['person.name', 'person.age', 'person.name'].map((name) => input({ type: 'text', name, text }))
  const { form, warnings, pdf } = await withForm(fields)
  t.strictSame(
    form.getFields().map((field) => field.getName()),
    ['person.name', 'person.age', 'person.name+1'],
  )
  t.match(warnings, [/1 of them.*"person\.name" to "person\.name\+1"/])
  t.equal(
    (pdf.catalog.lookup(PDFName.of('AcroForm')) as never as Map<unknown, { size(): number }>)
      .get(PDFName.of('Fields'))
      ?.size(),
    1,
  )
})

t.test('a field that is not on the pages is left out, and what Helvetica lacks is drawn by viewers', async (t) => {
  const fields = [input({ type: 'text', name: 'a', value: '合計', text }), input({ type: 'text', name: 'b', text })]
  const { form, warnings } = await withForm(fields, [0])
  t.strictSame(
    form.getFields().map((field) => field.getName()),
    ['a'],
  )
  t.match(warnings, [/"a".*Helvetica/])
})

t.test('qpdf finds no error', { skip: missing('qpdf') }, async (t) => {
  const { bytes } = await withForm([
    input({ type: 'text', name: 'a', value: 'x', text }),
    input({ type: 'checkbox', name: 'b', value: 'on', button: { isOn: true, group: 0, groupLabel: '' } }),
    radio('full', true),
  ])
  t.match(judged('qpdf', ['--check', 'FILE'], bytes), { status: 0, output: /No syntax or stream encoding errors/ })
})
