import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Generation } from '@platen/domain/generation/generation.ts'
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import t from 'tap'
import { download, generate } from '../support/print.ts'
import { ownerOfSharedPlaten } from '../support/shared-platen.ts'

const platen = await ownerOfSharedPlaten()
const folder = t.testdir({})
const noProgram = (program: string) => (spawnSync(program, ['--version']).error ? `${program} is not installed` : false)
const saved = (name: string, pdf: Uint8Array) => {
  const file = join(folder, name)
  writeFileSync(file, pdf)
  return file
}

const html = `<html lang=en><title>Application</title><h1>Application</h1>
  <p><label>Given name <input name=person.name value=Ada maxlength=20 required></label></p>
  <p><label>Country <select name=country><option value=DE>Germany<option value=FR selected>France</select></label></p>
  <fieldset><legend>Fee</legend><label><input type=radio name=fee value=full> Full</label>
    <label><input type=radio name=fee value=half checked> Half</label></fieldset>
  <p style="break-before:page"><label><input type=checkbox name=agreed value=yes> I agree</label></p>
  <p><textarea name=notes aria-label=Notes>One
Two</textarea><input type=file name=picture><input type=hidden name=token value=secret></p>`
const options = { form_fields: true }

/** The fields as pdf.js shows them, by page. */
async function fieldsOf(pdf: Uint8Array) {
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: VerbosityLevel.ERRORS })
  try {
    const document = await task.promise
    const pages = Array.from({ length: document.numPages }, async (_, index) =>
      (await document.getPage(index + 1)).getAnnotations(),
    )
    return (await Promise.all(pages)).flatMap((annotations, index) =>
      annotations.map((annotation) => ({ page: index + 1, ...annotation })),
    )
  } finally {
    await task.destroy()
  }
}

t.test('inputs become form fields with their names, values and labels', async (t) => {
  const { pdf, generation } = await generate(platen, { html, options })
  t.strictSame(generation.warnings, [])
  t.match(generation.steps, [{ step: 'form_fields', bytes: generation.size }])
  const fields = await fieldsOf(pdf)
  t.match(fields, [
    { page: 1, subtype: 'Widget', fieldName: 'person.name', fieldValue: 'Ada', maxLen: 20, required: true },
    { page: 1, fieldName: 'country', fieldValue: ['FR'], combo: true, alternativeText: 'Country' },
    { page: 1, fieldName: 'fee', radioButton: true, buttonValue: 'full', fieldValue: 'half' },
    { page: 1, fieldName: 'fee', radioButton: true, buttonValue: 'half', fieldValue: 'half' },
    { page: 2, fieldName: 'agreed', checkBox: true, exportValue: 'yes', fieldValue: 'Off', alternativeText: 'I agree' },
    { page: 2, fieldName: 'notes', multiLine: true, fieldValue: 'One\nTwo', alternativeText: 'Notes' },
  ])
  t.equal(fields.length, 6)
  t.equal(fields[0]?.alternativeText, 'Given name')
  t.notMatch(Buffer.from(pdf).toString('latin1'), /secret|\.invalid/)
})

t.test('the form can be filled, and made content of the pages', async (t) => {
  const { generation } = await generate(platen, { html, options })
  const fields = { 'person.name': 'Grace', country: 'DE', fee: 'full', agreed: true, notes: 'Late' }
  const fill = async (body: object) => {
    const filled = await platen.json<Generation>('/v1/pdf/fill', {
      body: { source: { generation: generation.id }, ...body },
    })
    return { ...filled, pdf: filled.status === 200 ? await download(filled.body.url) : Buffer.from('') }
  }
  const { pdf } = await fill({ fields })
  t.match(
    (await fieldsOf(pdf)).map(({ fieldName, fieldValue }) => [fieldName, fieldValue]),
    [
      ['person.name', 'Grace'],
      ['country', ['DE']],
      ['fee', 'full'],
      ['fee', 'full'],
      ['agreed', 'yes'],
      ['notes', 'Late'],
    ],
  )
  t.match(await fill({ fields: { 'person.nam': 'x' } }), { status: 422, body: { error: { message: /person\.name/ } } })
  t.test('as text', { skip: noProgram('pdftotext') }, async (t) => {
    const { pdf: flat } = await fill({ fields, flatten: true })
    t.strictSame(await fieldsOf(flat), [])
    const text = execFileSync('pdftotext', ['-layout', saved('flat.pdf', flat), '-'], { encoding: 'utf8' })
    for (const shown of ['Grace', 'Germany', 'Late']) t.match(text, shown)
    t.notMatch(text, /Ada|France/)
  })
})

t.test('qpdf reads the fields and finds no error', { skip: noProgram('qpdf') }, async (t) => {
  const { pdf } = await generate(platen, { html, options: { ...options, tagged: true } })
  const file = saved('form.pdf', pdf)
  execFileSync('qpdf', ['--check', file])
  const { acroform } = JSON.parse(execFileSync('qpdf', ['--json', '--json-key=acroform', file], { encoding: 'utf8' }))
  t.equal(acroform.hasacroform, true)
  t.equal(acroform.needappearances, false)
  t.match(
    acroform.fields.map(({ fullname, fieldtype, pageposfrom1: page }: never) => [fullname, fieldtype, page]),
    [
      ['person.name', '/Tx', 1],
      ['country', '/Ch', 1],
      ['fee', '/Btn', 1],
      ['fee', '/Btn', 1],
      ['agreed', '/Btn', 2],
      ['notes', '/Tx', 2],
    ],
  )
})

t.test('a document without inputs has no form, and a warning', async (t) => {
  const { generation, pdf } = await generate(platen, { html: '<p>x', options })
  t.match(generation.warnings, [{ code: 'PDF_STEP', message: /form_fields: The document has no inputs/ }])
  t.strictSame(await fieldsOf(pdf), [])
})

t.test('more inputs, or larger values, than a form can have are refused by their number', async (t) => {
  const many = '<input name=a>'.repeat(2_001)
  const refused = (body: object) => platen.json('/v1/generate', { body })
  t.match(await refused({ html: many, options }), {
    status: 422,
    body: { error: { code: 'RENDER_LIMIT_EXCEEDED', message: /2001 inputs, at most 2000/ } },
  })
  t.match(await refused({ html: `<textarea name=long>${'x'.repeat(10_001)}</textarea>`, options }), {
    status: 422,
    body: { error: { code: 'RENDER_LIMIT_EXCEEDED', message: /"long" has a value of 10001 characters/ } },
  })
})

t.test('steps that a form excludes are a 400 that names both', async (t) => {
  const outputs = {
    conformance: { pdf_a: '3b' },
    images: { format: 'png' },
    sign: { key: 'office' },
  }
  for (const [step, value] of Object.entries(outputs)) {
    const body = { html, options: { ...options, output: { [step]: value } } }
    const answer = await platen.json('/v1/generate', { body })
    t.match(answer, {
      status: 400,
      body: {
        error: { details: [{ path: 'options.form_fields', message: new RegExp(`options\\.output\\.${step}`) }] },
      },
    })
  }
})

t.test('a preview shows the inputs as they are', async (t) => {
  const preview = await platen.request('/v1/preview', { body: { html, options } })
  t.equal(preview.status, 200)
  t.strictSame(await fieldsOf(await preview.bytes()), [])
})
