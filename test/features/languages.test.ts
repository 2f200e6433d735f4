import type { Generation } from '@platen/domain/generation/generation.ts'
import t from 'tap'
import { startPlaten } from '../support/platen.ts'
import { generate } from '../support/print.ts'
import { readPdf } from '../support/read-pdf.ts'

// Documents in other languages: what helpers, contents lists and scripts format with.

const platen = await startPlaten({ RENDER_EGRESS: 'none' })
t.teardown(() => platen[Symbol.asyncDispose]())

interface Failure {
  error: { code: string; message: string; details?: Record<string, unknown> }
}
const post = (body: object) => platen.json<Generation & Failure>('/v1/generate', { body })
const textOf = async (body: object) => {
  const { pdf, generation } = await generate(platen, body)
  t.same(generation.warnings, [], JSON.stringify(body).slice(0, 80))
  return (await readPdf(pdf))
    .map(({ text }) => text)
    .join('\n')
    .replace(/\s+/g, ' ')
}

t.test('helpers format for the locale and the time zone of the options', async (t) => {
  const html =
    '{{formatDate d "long"}}|{{formatDate at "HH:mm"}}|{{formatNumber n}}|{{formatCurrency n "EUR"}}|{{@locale}}|{{@timezone}}'
  const data = { d: '2026-01-31', at: '2026-01-31T23:30:00Z', n: 1234.5 }
  const printed = (locale: string, timezone: string) => textOf({ html, data, options: { locale, timezone } })
  t.equal(await printed('de-DE', 'Europe/Berlin'), '31. Januar 2026|00:30|1.234,5|1.234,50 €|de-DE|Europe/Berlin')
  t.equal(await printed('en-GB', 'UTC'), '31 January 2026|23:30|1,234.5|€1,234.50|en-GB|UTC')
  const ja = (await printed('ja-jp', 'Asia/Tokyo')).normalize('NFKC').replaceAll(' ', '')
  t.match(ja, /^2026年1月31日\|08:30\|1,234\.5\|.*\|ja-JP\|Asia\/Tokyo$/)
  t.match(await printed('ar-EG', 'Africa/Cairo'), /(?=.*٣١)(?=.*٢٠٢٦)(?=.*١٬٢٣٤٫٥)(?=.*01:30)/)
  t.equal(
    await textOf({ html: '{{formatNumber n}} {{formatNumber n locale="en-US"}}', data, options: { locale: 'de' } }),
    '1.234,5 1,234.5',
  )
  t.equal(await textOf({ html, data }), 'January 31, 2026|23:30|1,234.5|€1,234.50|en-US|UTC')
})

t.test('scripts get the locale and the time zone, and the next document does not', async (t) => {
  const html = `<p id=p></p><script>
    p.textContent = [Intl.NumberFormat().resolvedOptions().locale, Intl.DateTimeFormat().resolvedOptions().timeZone,
      (1234.5).toLocaleString(), new Date(0).getHours()].join(' ')</script>`
  const options = { locale: 'de-DE', timezone: 'Asia/Tokyo' }
  const before = await textOf({ html })
  t.equal(await textOf({ html, options }), 'de-DE Asia/Tokyo 1.234,5 9')
  t.equal(await textOf({ html }), before)
  const both = [options, { locale: 'fr-FR', timezone: 'America/New_York' }, options, { locale: 'ja-JP' }]
  const printed = await Promise.all(both.map((options) => textOf({ html, options })))
  t.match(printed, [/^de-DE Asia\/Tokyo/, /^fr-FR America\/New_York/, /^de-DE Asia\/Tokyo/, /^ja-JP/])
})

t.test('a template sets them, a request overrides them, and data may choose', async (t) => {
  const html = '{{formatNumber 1234.5}} {{formatDate "2026-01-01T00:00:00Z" "HH"}}'
  const options = { locale: '{{customer.language}}', timezone: 'Asia/Tokyo' }
  const { status } = await platen.json('/v1/templates', { body: { name: 'Chosen', html, options } })
  t.equal(status, 201)
  const chosen = (language: unknown, more: object = {}) => ({
    template: 'chosen',
    data: { customer: { language } },
    options: more,
  })
  t.equal(await textOf(chosen('de')), '1.234,5 09')
  t.equal(await textOf(chosen('en', { timezone: 'UTC' })), '1,234.5 00')
  t.equal(await textOf(chosen('de', { locale: 'en' })), '1,234.5 09')
  const { generation } = await generate(platen, { template: 'chosen' })
  t.match(generation.warnings, [{ code: 'MISSING_VALUE', path: 'customer.language', message: /options\.locale/ }])
  const failed = { status: 422, body: { error: { code: 'TEMPLATE_RENDER_ERROR', message: /customer\.language/ } } }
  t.match(await post({ template: 'chosen', options: { strict: true } }), failed)
  t.match(await post(chosen('no language')), failed)
  t.match(await post(chosen(5)), failed)
  t.match(await post({ html: 'x', options: { locale: '{{lang}}' } }), {
    status: 422,
    body: { error: { message: /has no data/ } },
  })
})

t.test('what is no language and no time zone is refused before anything is queued', async (t) => {
  for (const [option, value] of [
    ['locale', 'de_DE'],
    ['locale', '{{a b}}'],
    ['timezone', 'Berlin'],
    ['timezone', '{{x'],
  ] as const) {
    const refused = await post({ html: 'x', options: { [option]: value } })
    t.match(refused, { status: 400, body: { error: { details: [{ path: `options.${option}` }] } } }, value)
  }
})

t.test('a contents list has the digits of the locale', async (t) => {
  const html =
    '{{toc}}<h1 style="break-before: page">A</h1><h1 style="break-before: page" id=b>B</h1>{{pageNumberOf "b"}}'
  t.match(await textOf({ html, data: {}, options: { locale: 'ar-EG' } }), /٢.*٣.*٣/)
  t.match(await textOf({ html, data: {}, options: { locale: 'de' } }), /2.*3.*3/)
})
