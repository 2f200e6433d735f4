import t from 'tap'
import { assetsOfSteps, describedSteps } from './described-steps.ts'
import type { OutputSteps } from './output-options.ts'

const steps: OutputSteps = {
  background: { asset: 'letterhead.pdf', pages: 'first' },
  append: [{ asset: 'terms.pdf' }],
  stamps: [{ text: 'secret' }, { asset: 'seal.png', opacity: 0.5 }],
  metadata: { title: 'secret', custom: { secret: 'secret' } },
  attachments: [
    { name: 'a.xml', media_type: 'text/xml', description: 'secret', content_base64: 'secret' },
    { name: 'b.pdf', media_type: 'application/pdf', asset: 'b.pdf' },
  ],
  e_invoice: { standard: 'factur-x', profile: 'basic', xml: 'secret' },
  protect: { user_password: 'secret', owner_password: 'secret', permissions: { print: false } },
  sign: { key: 'company', reason: 'secret', location: 'secret' },
}

t.test('events have the steps without passwords and content', async (t) => {
  t.notMatch(JSON.stringify(describedSteps(steps)), 'secret')
  t.match(describedSteps(steps), {
    background: { asset: 'letterhead.pdf', pages: 'first' },
    stamps: [{}, { asset: 'seal.png', opacity: 0.5 }],
    attachments: [{ name: 'a.xml' }, { asset: 'b.pdf' }],
    protect: { permissions: { print: false } },
    sign: { key: 'company' },
  })
  t.strictSame(describedSteps({}), {})
})

t.test('the assets of all steps are found', async (t) => {
  t.strictSame(
    assetsOfSteps(steps).map(({ field, name }) => `${field} ${name}`),
    [
      'background.asset letterhead.pdf',
      'append.0.asset terms.pdf',
      'stamps.1.asset seal.png',
      'attachments.1.asset b.pdf',
    ],
  )
  t.strictSame(assetsOfSteps({}), [])
})
