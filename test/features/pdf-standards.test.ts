import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readExample } from '../../examples/read-example.ts'
import { startPlaten } from '../support/platen.ts'
import { generate } from '../support/print.ts'
import { conforms, noVeraPdf } from '../support/vera-pdf.ts'

const noProgram = (program: string) => (spawnSync(program, ['-v']).error ? `${program} is not installed` : false)
const noOpenssl = noProgram('openssl')
const folder = t.testdir({ keys: {} })
const keys = join(folder, 'keys')
if (!noOpenssl) makeKey()
const platen = await startPlaten({ PDF_SIGN_KEYS: keys })
t.teardown(() => platen[Symbol.asyncDispose]())

/** A key with a certificate of its own, as the page on signing keys makes it. */
function makeKey(): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: keys, stdio: 'ignore' })
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'k',
    '-out',
    'c',
    '-subj',
    '/CN=Ada',
    '-days',
    '9',
  )
  openssl('pkcs12', '-export', '-inkey', 'k', '-in', 'c', '-out', 'office.p12', '-passout', 'pass:secret')
  writeFileSync(join(keys, 'office.password'), 'secret')
  writeFileSync(join(keys, 'office.allow'), '*')
}

const saved = (name: string, pdf: Uint8Array) => {
  const file = join(folder, name)
  writeFileSync(file, pdf)
  return file
}
const refusal = async (path: string, body: object) => {
  const answer = await platen.json<{ error: { code: string; message: string; details: unknown } }>(path, { body })
  return { status: answer.status, ...answer.body.error }
}
const article =
  '<html lang=en><title>T</title><h1>T</h1><p>A <strong>word</strong>, <a href="https://example.com">a link</a>'
const lists = '<ul><li>One<ul><li>Two</ul></ul><div style="background:#eee;border:1px solid">Box</div>'

t.test('the example of an e-invoice is a Factur-X with the filled XML', async (t) => {
  const { template } = await readExample('e-invoice')
  const { html, options, sample_data: data } = template
  const { pdf, generation } = await generate(platen, { html, data, options })
  t.strictSame(
    generation.steps?.map(({ step }) => step),
    ['conformance', 'e_invoice'],
  )
  t.match(generation.warnings, [{ code: 'PDF_STEP', message: /schema and business rules were not checked/ }])
  const file = saved('invoice.pdf', pdf)
  t.test('pdfdetach', { skip: noProgram('pdfdetach') }, async (t) => {
    execFileSync('pdfdetach', ['-save', '1', '-o', join(folder, 'out.xml'), file])
    const xml = execFileSync('cat', [join(folder, 'out.xml')], { encoding: 'utf8' })
    t.match(xml, /<ram:GrandTotalAmount>2520.9<\/ram:GrandTotalAmount>/)
  })
  t.test('veraPDF', { skip: noVeraPdf }, async (t) => {
    for (const flavour of ['3b', 'ua1'] as const) t.equal(conforms(file, flavour), '', flavour)
  })
})

t.test('a document with links, lists and boxes is a PDF/A and a PDF/UA', { skip: noVeraPdf }, async (t) => {
  const output = { conformance: { pdf_a: '3b', pdf_ua: '1' } }
  const { pdf } = await generate(platen, { html: article + lists, options: { output, print_background: true } })
  for (const flavour of ['3b', 'ua1'] as const) t.equal(conforms(saved('a.pdf', pdf), flavour), '', flavour)
})

t.test(
  'stamps of text and visible signatures are in a PDF/A and PDF/UA',
  { skip: noVeraPdf || noOpenssl },
  async (t) => {
    const visible = { x: 120, y: 20, width: 60, height: 20 }
    const output = {
      stamps: [
        { text: '社外秘 {{page}}', position: 'top-right', font_size: 12 },
        { text: 'Přísně tajné', rotation: 45, opacity: 0.2 },
      ],
      conformance: { pdf_a: '3b', pdf_ua: '1' },
      sign: { key: 'office', reason: 'Schválil', visible },
    }
    const { pdf, generation } = await generate(platen, { html: article, options: { output } })
    t.strictSame(generation.warnings, [])
    for (const flavour of ['3b', 'ua1'] as const) t.equal(conforms(saved('stamped.pdf', pdf), flavour), '', flavour)
  },
)

t.test('an operator says which owners may sign with a key', { skip: noOpenssl }, async (t) => {
  const body = { html: article, options: { output: { sign: { key: 'office' } } } }
  const list = join(keys, 'office.allow')
  t.teardown(() => writeFileSync(list, '*'))
  writeFileSync(list, 'own_other\n')
  t.match(await refusal('/v1/generate', body), { status: 422, message: /There is no signing key office/ })
  writeFileSync(list, 'own_default\n')
  t.equal((await platen.json('/v1/generate', { body })).status, 200)
})

t.test('a document is a PDF/A-1 or -2, and a PDF/UA', { skip: noVeraPdf }, async (t) => {
  for (const pdf_a of ['1b', '2b'] as const) {
    const options = { output: { conformance: { pdf_a, pdf_ua: '1' } }, print_background: true }
    const { pdf } = await generate(platen, { html: article + lists, options })
    for (const flavour of [pdf_a, 'ua1'] as const) {
      t.equal(conforms(saved(`${pdf_a}.pdf`, pdf), flavour), '', `${pdf_a}: ${flavour}`)
    }
  }
  const transparent = `${article}<p style="opacity:0.5">Half`
  const body = { html: transparent, options: { output: { conformance: { pdf_a: '1b' } } } }
  t.match(await refusal('/v1/generate', body), { status: 422, message: /transparent.*ISO 19005-1:2005, 6\.4/ })
})

t.test('a rule that cannot be mended is named, and there is no PDF', async (t) => {
  const picture = '<img width=9 height=9 src="data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E">'
  const body = { html: `${article}<h3>Low</h3>${picture}`, options: { output: { conformance: { pdf_ua: '1' } } } }
  const refused = await refusal('/v1/generate', body)
  t.match(refused, { status: 422, code: 'PDF_TOOL_ERROR', details: { step: 'conformance', reason: 'invalid' } })
  t.match(refused.message, /h3 follows h1.*\(ISO 14289-1:2014, 7\.4\.2, test 1\)/)
})

t.test('an XML that is not the invoice of its profile is refused', async (t) => {
  const invoice = (xml: string) => ({ e_invoice: { standard: 'factur-x', profile: 'basic', xml } })
  const refused = await refusal('/v1/generate', {
    html: article,
    options: { output: invoice('<a>{{b}}</a>') },
    data: { b: '&' },
  })
  t.match(refused, { status: 422, details: { step: 'e_invoice' }, message: /root a/ })
})

t.test('a signature is of the key of the deployment', { skip: noOpenssl || noProgram('pdfsig') }, async (t) => {
  const visible = { x: 120, y: 20, width: 60, height: 20 }
  const sign = { key: 'office', reason: 'Approved', visible }
  const { pdf, generation } = await generate(platen, { html: article, options: { output: { sign } } })
  t.equal(generation.steps?.at(-1)?.bytes, pdf.length)
  const source = { content_base64: Buffer.from(pdf).toString('base64') }
  const twice = await platen.json<{ url: string }>('/v1/pdf/sign', { body: { source, sign: { key: 'office' } } })
  const file = saved('signed.pdf', await (await fetch(twice.body.url)).bytes())
  const said = execFileSync('pdfsig', ['-nocert', file], { encoding: 'utf8' })
  t.equal(said.match(/Signature is Valid/g)?.length, 2, said)
  t.match(said, /Common Name: Ada[\s\S]*Total document signed/)
  const parts = { source, every: 1, output: { sign: { key: 'office' } } }
  const split = await platen.json<{ url: string }>('/v1/pdf/split', { body: parts })
  const zip = saved('parts.zip', await (await fetch(split.body.url)).bytes())
  execFileSync('unzip', ['-o', '-q', zip, '-d', folder])
  t.match(execFileSync('pdfsig', ['-nocert', join(folder, 'part-1.pdf')], { encoding: 'utf8' }), /Signature is Valid/)
  t.match(await refusal('/v1/pdf/sign', { source, sign: { key: 'nobody' } }), {
    status: 422,
    message: /There is no signing key nobody/,
    details: { step: 'sign', reason: 'invalid' },
  })
})

t.test('a PDF that exists is converted', async (t) => {
  const { pdf } = await generate(platen, { html: article, options: { tagged: true } })
  const source = { content_base64: Buffer.from(pdf).toString('base64') }
  const made = await platen.json<{ url: string }>('/v1/pdf/convert', { body: { source, conformance: { pdf_a: '3b' } } })
  t.equal(made.status, 200)
  t.match(await refusal('/v1/pdf/convert', { source }), { status: 400, code: 'VALIDATION_ERROR' })
})
