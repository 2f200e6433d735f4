import t from 'tap'
import { DomainError } from '../../errors/errors.ts'
import { rendered } from '../testing/rendered.ts'

const problemOf = (template: string, data = {}) => {
  try {
    return rendered(template, data)
  } catch (err) {
    return err instanceof DomainError && err.code === 'TEMPLATE_RENDER_ERROR' ? err.message : String(err)
  }
}

t.test('codes are elements with a size and a text for screen readers', async (t) => {
  const qr = rendered('<b>{{qrcode text size="25mm"}}</b>', { text: '<a> & "b"' })
  t.match(
    qr,
    /^<b><svg xmlns="[^"]+" class="qrcode" role="img" aria-label="QR code: &lt;a&gt; &amp; &quot;b&quot;" width="25mm" height="25mm"/,
  )
  t.match(
    qr,
    /viewBox="0 0 29 29"><path d="[Mhvz\d. -]+"\/><\/svg><\/b>$/,
    '21 modules and a quiet zone of 4 on each side',
  )
  t.match(rendered('{{qrcode "a" margin=0}}'), /width="30mm" height="30mm" viewBox="0 0 21 21"/)
  t.match(
    rendered('{{barcode "A-1" type="code128" width="50mm" height="10mm"}}'),
    /class="barcode" .* width="50mm" height="10(\.\d+)?mm"/,
  )
  t.match(rendered('{{barcode "A-1" type="datamatrix" width="12mm"}}'), /width="12mm" height="12mm"/)
  t.equal(rendered('{{qrcode none}}{{barcode none type="ean13"}}{{qrcode ""}}'), '')
})

t.test('a linear code has bars of 0.33 mm unless it has a width', async (t) => {
  // GS1: an EAN-13 has 95 modules and quiet zones of 11 and 7. It is drawn with 11 on both sides.
  const width = Number(/ width="([\d.]+)mm"/.exec(rendered('{{barcode "4006381333931" type="ean13" text=false}}'))?.[1])
  t.ok(Math.abs(width - (95 + 22) * 0.33) < 0.01, `${width} mm`)
})

t.test('a value that is no such code is an error that says why', async (t) => {
  const refused: [template: string, problem: string][] = [
    ['{{barcode "4006381333932" type="ean13"}}', '"4006381333932" is no ean13: its check digit would be 1'],
    ['{{barcode "12345671" type="ean8"}}', '"12345671" is no ean8: its check digit would be 0'],
    [
      '{{barcode "40063813339" type="ean13"}}',
      '"40063813339" is no ean13, which has 13 digits, or 12 without the check digit',
    ],
    ['{{barcode "4006381A33931" type="ean13"}}', '"4006381A33931" is no ean13, which has 13 digits'],
    ['{{barcode "a" type="code 128"}}', 'there is no type "code 128", only code128, code39'],
    ['{{barcode "a"}}', 'type= is missing: code128'],
    ['{{barcode "ň" type="code128"}}', '"ň" has characters that code128 cannot hold'],
    ['{{barcode "a_b" type="code39"}}', 'not a text for code39: Code 39 must contain only'],
    ['{{barcode "(01)123" type="gs1-128"}}', 'not a text for gs1-128: '],
    [`{{barcode "${'x'.repeat(81)}" type="code128"}}`, 'the text has 81 characters; code128 may have 80'],
    [
      '{{barcode "a" type="code128" width="1000mm"}}',
      'width must be a length from 1 mm to 500 mm such as "30mm", not "1000mm"',
    ],
    ['{{qrcode "a" size="big"}}', 'size must be a length from 1 mm to 500 mm such as "30mm", not "big"'],
    ['{{qrcode "a" level="X"}}', 'the level must be L, M, Q or H, not "X"'],
    ['{{qrcode "a" margin=-1}}', 'the margin must be a whole number from 0 to 100, not -1'],
    [`{{qrcode "${'x'.repeat(2_954)}" level="L"}}`, 'the text has 2954 bytes, more than a QR code of level L can hold'],
  ]
  for (const [template, problem] of refused) {
    const helper = template.slice(2).split(' ')[0]
    const message = problemOf(template)
    t.equal(
      message.slice(0, `html, line 1, column 1: ${helper}: ${problem}`.length),
      `html, line 1, column 1: ${helper}: ${problem}`,
    )
  }
  t.match(
    problemOf('\n{{#each items}}{{barcode ean type="ean13"}}{{/each}}', { items: [{ ean: 1 }] }),
    /line 2, column 16: .*in \{\{barcode ean type="ean13"\}\} at @index 0$/,
  )
  t.match(problemOf('{{qrcode a}}', { a: {} }), /qrcode: \{\} is not a string/)
})
