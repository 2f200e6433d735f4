import type { Generation } from '@platen/domain/generation/generation.ts'
import t from 'tap'
import { generate } from '../support/print.ts'
import { readPdf } from '../support/read-pdf.ts'
import { ownerOfSharedPlaten } from '../support/shared-platen.ts'

// Documents in other languages: what helpers, contents lists and scripts format with.

const platen = await ownerOfSharedPlaten()

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

const translations = {
  en: { invoice: 'Invoice', total: 'Total', greeting: 'Dear {name}, you have {count} items.' },
  de: { invoice: 'Rechnung', total: 'Summe', greeting: 'Guten Tag {name}, {count} Stück.' },
  ja: { invoice: '請求書', total: '合計', greeting: '{name} 様' },
  ar: { invoice: 'فاتورة', total: 'المجموع', greeting: 'عزيزي {name}' },
}

t.test('a template keeps its translations, and prints them in the language of the document', async (t) => {
  const html = `<html lang="{{@locale}}"><h1>{{t "invoice"}}</h1><p>{{t "greeting" name=who count=(formatNumber 1200)}}</p>
    <p>{{t "total"}}: {{formatCurrency total "EUR"}}</p>`
  const body = {
    name: 'Translated',
    html,
    header_html: '{{t "invoice"}}',
    options: { locale: '{{lang}}' },
    translations,
  }
  const created = await platen.json<{ translations: object; id: string }>('/v1/templates', { body })
  t.match({ status: created.status, translations: created.body.translations }, { status: 201, translations })
  const printed = (lang: string) => textOf({ template: 'translated', data: { lang, who: 'Ada <3', total: 9.5 } })
  t.match(await printed('de-AT'), /Rechnung.*Guten Tag Ada <3, 1\s200 Stück\..*Summe: € 9,50/)
  t.match(await printed('en-GB'), /Invoice.*Dear Ada <3, you have 1,200 items\..*Total: €9\.50/)
  const ja = (await printed('ja')).normalize('NFKC').replaceAll(' ', '')
  t.match(ja, /請求書.*Ada<3様.*合計/)
  t.match(await printed('ar-EG'), /٩٫٥/)

  const missing = await generate(platen, { template: 'translated', data: { lang: 'fr', who: 'x', total: 1 } })
  t.match(missing.generation.warnings, [
    {
      code: 'MISSING_TRANSLATION',
      path: 'invoice',
      message: /^invoice is not translated to fr; the text of en is printed: html, line 1/,
    },
    { code: 'MISSING_TRANSLATION', path: 'greeting' },
    { code: 'MISSING_TRANSLATION', path: 'total' },
  ])
  const options = { fail_on: ['MISSING_TRANSLATION'] }
  t.match(await post({ template: 'translated', data: { lang: 'fr', who: 'x', total: 1 }, options }), { status: 422 })
  const strict = await post({
    template: 'translated',
    data: { lang: 'fr', who: 'x', total: 1 },
    options: { strict: true },
  })
  t.match(strict, { status: 422, body: { error: { message: /html, line 1.*invoice is not translated/ } } })
  const inline = await generate(platen, { html: '{{t "x"}}{{t "__proto__"}}', data: {} })
  t.match(inline.generation.warnings, [
    { path: 'x', message: /the template has no translations/ },
    { path: '__proto__' },
  ])
})

t.test('translations belong to a version, and are merged, compared and previewed', async (t) => {
  const created = await platen.json<{ id: string }>('/v1/templates', {
    body: { name: 'Versions', html: '{{t "a"}}', translations: { en: { a: 'one' } } },
  })
  const { id } = created.body
  const patch = (body: object, type: string) =>
    platen.request(`/v1/templates/${id}`, { method: 'PATCH', body, headers: { 'content-type': type } })
  const merged = await patch(
    { translations: { de: { a: 'eins' }, en: { a: 'first' } } },
    'application/merge-patch+json',
  )
  t.match(await merged.json(), { version: 2, translations: { en: { a: 'first' }, de: { a: 'eins' } } })
  t.equal(await textOf({ template: id, template_version: 1 }), 'one')
  t.equal(await textOf({ template: id }), 'first')
  t.equal(await textOf({ template: id, options: { locale: 'de' } }), 'eins')
  const preview = await platen.request('/v1/preview', {
    body: { template: id, html: '{{t "a"}}!', options: { locale: 'de' } },
  })
  t.equal((await readPdf(new Uint8Array(await preview.arrayBuffer())))[0]?.text, 'eins!')
  for (const translations of [{ xx_YY: { a: 'b' } }, { en: { a: 5 } }, { en: 'x' }]) {
    const { status } = await platen.json('/v1/templates', { body: { name: 'No', html: 'x', translations } })
    t.equal(status, 400, JSON.stringify(translations))
  }
})
