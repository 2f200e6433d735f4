import type { OutputSteps } from '@platen/domain/document/output-options.ts'
import t from 'tap'
import { outputProblems } from './output-problems.ts'

const attachment = { name: 'a', media_type: 'text/plain' }
const problemsOf = (steps: OutputSteps) =>
  outputProblems(steps, 'options.output').map(({ path, message }) => `${path} ${message}`)

t.test('steps that exclude each other are named both', async (t) => {
  const protect = { user_password: 'x' }
  const sign = { key: 'k' }
  const cases: [OutputSteps, RegExp][] = [
    [{ conformance: { pdf_a: '3b' }, protect }, /options.output.conformance .* options.output.protect: PDF\/A/],
    [{ e_invoice: { standard: 'factur-x', profile: 'basic', xml: '<x/>' }, protect }, /e_invoice .*protect/],
    [{ images: { format: 'png' }, protect }, /options.output.images .* options.output.protect/],
    [{ images: { format: 'png' }, sign }, /images .*sign/],
    [{ sign, protect }, /sign .*protect/],
    [
      { conformance: { pdf_a: '1b' }, sign },
      /options.output.conformance .* options.output.sign: a PDF\/A-1 is not signed/,
    ],
    [
      { conformance: { pdf_a: '2b' }, attachments: [{ ...attachment, asset: 'a' }] },
      /conformance .*attachments: .* use pdf_a 3b/,
    ],
    [
      { conformance: { pdf_a: '1b' }, stamps: [{ text: 'x' }, { text: 'y', opacity: 0.5 }] },
      /conformance .*stamps: .*transparency/,
    ],
  ]
  for (const [steps, expected] of cases) t.match(problemsOf(steps).join(), expected)
})

t.test('steps that another level of PDF/A allows are no problem', async (t) => {
  const attachments = [{ ...attachment, asset: 'a' }]
  t.strictSame(problemsOf({ conformance: { pdf_a: '3b' }, attachments, sign: { key: 'k' } }), [])
  t.strictSame(problemsOf({ conformance: { pdf_ua: '1' }, attachments }), [])
  t.strictSame(problemsOf({ conformance: { pdf_a: '1b' }, stamps: [{ text: 'x', opacity: 1 }] }), [])
})

t.test('what a JSON schema cannot say is a problem with its field', async (t) => {
  const cases: [OutputSteps, RegExp | undefined][] = [
    [{ stamps: [{ text: 'x', pages: '2-' }], background: { asset: 'a.pdf', pages: 'first' } }, undefined],
    [{ stamps: [{}] }, /stamps.0 must have exactly one of text, asset/],
    [{ stamps: [{ text: 'x', asset: 'a' }] }, /stamps.0 must have/],
    [{ stamps: [{ text: 'x', pages: '3-1' }] }, /stamps.0.pages is not valid: a page range must ascend/],
    [{ background: { asset: 'a', pages: 'odd' } }, /background.pages is not valid/],
    [{ attachments: [attachment] }, /attachments.0 must have exactly one of asset, content_base64/],
    [{ attachments: [{ ...attachment, content_base64: 'a' }] }, /content_base64 is not Base64/],
    [{ attachments: [{ ...attachment, content_base64: 'YQ==' }] }, undefined],
    [
      {
        attachments: [
          { ...attachment, asset: 'a' },
          { ...attachment, asset: 'b' },
        ],
      },
      /attachments.1.name is the name of another/,
    ],
    [{ images: { format: 'png', width: 100, dpi: 100 } }, /images.width cannot be given together with .*dpi/],
    [{ metadata: { created_at: '2026-02-31T99:00:00Z' } }, /metadata.created_at is no time/],
    [{ protect: {} }, /protect must have/],
    [{ protect: { user_password: 'ä'.repeat(64) } }, /user_password must be at most 127 bytes/],
  ]
  for (const [steps, expected] of cases) {
    if (expected) t.match(problemsOf(steps).join(), expected)
    else t.strictSame(problemsOf(steps), [])
  }
})
