import { type PdfOptions, paperSizeMm, resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { fc } from '@platen/test-support/fast-check.ts'
import t from 'tap'
import { overrideOptions, type TemplateLook } from './override-options.ts'

const side = fc.integer({ min: 0, max: 40 })
const margin = fc.record(
  { top: side, bottom: side, left: side, right: side },
  { requiredKeys: [], noNullPrototype: true },
)
const fields = {
  format: fc.constantFrom('A4' as const, 'A5' as const, 'Letter' as const),
  landscape: fc.boolean(),
  width: fc.constantFrom('100mm', '8in'),
  height: fc.constantFrom('150mm', '9in'),
  scale: fc.constantFrom(0.5, 1, 2),
  margin,
  page_ranges: fc.constantFrom('1', '1-3'),
  print_background: fc.boolean(),
  outline: fc.boolean(),
  fail_on: fc.constantFrom<NonNullable<PdfOptions['fail_on']>>([], ['RESOURCE_FAILED']),
}
const texts = { header_html: fc.string(), footer_html: fc.string() }
const lookOf = fc.record(
  { options: fc.record(fields, { requiredKeys: [], noNullPrototype: true }), ...texts },
  { requiredKeys: [], noNullPrototype: true },
) as fc.Arbitrary<TemplateLook>
const requestOf = fc.record(
  { ...fields, ...texts },
  { requiredKeys: [], noNullPrototype: true },
) as fc.Arbitrary<PdfOptions>

async function check(property: (look: TemplateLook, request: PdfOptions) => void): Promise<void> {
  await fc.assert(fc.property(lookOf, requestOf, property))
}

t.test('each field is that of the request, else that of the template, else absent', async (t) => {
  await check((look, request) => {
    const merged: Record<string, unknown> = overrideOptions(look, request)
    const own: Record<string, unknown> = { ...look.options, ...look }
    for (const name of [...Object.keys(fields), ...Object.keys(texts)]) {
      if (['margin', 'width', 'height'].includes(name)) continue
      const asked = (request as Record<string, unknown>)[name]
      t.same(merged[name], asked === undefined ? own[name] : asked, name)
    }
  })
})

t.test('each side of the margin is that of the request, else that of the template, else the default', async (t) => {
  await check((look, request) => {
    const resolved = resolvePdfOptions(overrideOptions(look, request)).margin
    const defaults = resolvePdfOptions().margin
    t.strictSame(resolved, { ...defaults, ...look.options?.margin, ...request.margin })
  })
})

t.test('the paper is that of the request if it asks for one', async (t) => {
  await check((look, request) => {
    const merged = resolvePdfOptions(overrideOptions(look, request))
    if (request.format === undefined) return
    t.strictSame(paperSizeMm(merged), paperSizeMm(resolvePdfOptions({ ...request, landscape: merged.landscape })))
  })
  t.equal(overrideOptions({ options: { width: '10mm', format: 'A5' } }, { scale: 1 }).width, '10mm')
})

t.test('nothing of a request or a template is changed, and without a look the request is as it was', async (t) => {
  await check((look, request) => {
    const before = structuredClone({ look, request })
    overrideOptions(look, request)
    t.strictSame({ look, request }, before)
    t.strictSame(overrideOptions({}, request), request)
    t.strictSame(overrideOptions(lookAlone(look), request), overrideOptions(look, request))
  })
})

/** The look after it was overridden by nothing. */
function lookAlone(look: TemplateLook): TemplateLook {
  const { header_html, footer_html, ...options } = overrideOptions(look)
  return {
    options,
    ...defined({ header_html, footer_html }),
  }
}
