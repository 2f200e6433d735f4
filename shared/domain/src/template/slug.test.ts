import { given } from '@platen/test-support/given.ts'
import t from 'tap'
import { slugDecider } from './slug.ts'
import type { SlugEvent } from './slug-events.ts'
import { slugCandidate, slugify } from './slugify.ts'

t.test('a slug has lower-case letters, digits and hyphens', async (t) => {
  const cases = {
    'Monthly Invoice': 'monthly-invoice',
    '  Crème brûlée №5 ': 'creme-brulee-no5',
    'a/b\\c__d': 'a-b-c-d',
    請求書: 'qingqiushu',
    'Счёт за май': 'schet-za-may',
    Größe: 'grosse',
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

t.test('a slug belongs to one template until who has reserved it last releases it', async (t) => {
  const reserved = (template_id: string, by: string): SlugEvent => ({ type: 'SlugReserved', data: { template_id, by } })
  const released: SlugEvent = { type: 'SlugReleased', data: { template_id: 'a', by: '1' } }
  const slug = (...events: SlugEvent[]) => given(t, slugDecider, events)
  const reserve = (template_id: string, by: string) => ({ type: 'ReserveSlug', data: { template_id, by } }) as const
  const release = (template_id: string, by: string) => ({ type: 'ReleaseSlug', data: { template_id, by } }) as const
  slug()
    .when(reserve('a', '1'))
    .then([reserved('a', '1')])
  const held = slug(reserved('a', '1'))
  held.when(reserve('a', '1')).then([])
  held.when(reserve('b', '2')).then([])
  held.when(reserve('a', '2')).then([reserved('a', '2')])
  held.when(release('b', '1')).then([])
  held.when(release('a', '2')).then([])
  held.when(release('a', '1')).then([released])
  slug(reserved('a', '1'), reserved('a', '2')).when(release('a', '1')).then([])
  slug(reserved('a', '1'), released)
    .when(reserve('b', '2'))
    .then([reserved('b', '2')])
})
