import { given } from '@platen/test-support/given.ts'
import t from 'tap'
import { slugCandidate, slugDecider, slugify } from './slug.ts'
import type { SlugEvent } from './slug-events.ts'

t.test('a slug has lower-case letters, digits and hyphens', async (t) => {
  const cases = {
    'Monthly Invoice': 'monthly-invoice',
    '  Crème brûlée №5 ': 'creme-brulee-no5',
    'a/b\\c__d': 'a-b-c-d',
    請求書: 'template',
    '!!!': 'template',
    ﬁnal: 'final',
  }
  for (const [name, slug] of Object.entries(cases)) t.equal(slugify(name), slug, name)
  t.equal(slugify('x'.repeat(200)).length, 64)
  t.equal(slugify(`${'x'.repeat(63)} yz`), 'x'.repeat(63), 'a slug does not end in a hyphen')
})

t.test('a taken slug gets a number and keeps the maximum length', async (t) => {
  t.equal(slugCandidate('invoice', 1), 'invoice')
  t.equal(slugCandidate('invoice', 2), 'invoice-2')
  t.equal(slugCandidate('x'.repeat(64), 12), `${'x'.repeat(61)}-12`)
  t.equal(slugCandidate(`${'x'.repeat(61)}-yz`, 2), `${'x'.repeat(61)}-2`)
})

t.test('a slug belongs to one template until that template releases it', async (t) => {
  const reserved: SlugEvent = { type: 'SlugReserved', data: { template_id: 'a' } }
  const released: SlugEvent = { type: 'SlugReleased', data: { template_id: 'a' } }
  const slug = (...events: SlugEvent[]) => given(t, slugDecider, events)
  slug()
    .when({ type: 'ReserveSlug', data: { template_id: 'a' } })
    .then([reserved])
  slug(reserved)
    .when({ type: 'ReserveSlug', data: { template_id: 'b' } })
    .then([])
  slug(reserved)
    .when({ type: 'ReleaseSlug', data: { template_id: 'b' } })
    .then([])
  slug(reserved)
    .when({ type: 'ReleaseSlug', data: { template_id: 'a' } })
    .then([released])
  slug(reserved, released)
    .when({ type: 'ReserveSlug', data: { template_id: 'b' } })
    .then([{ type: 'SlugReserved', data: { template_id: 'b' } }])
})
