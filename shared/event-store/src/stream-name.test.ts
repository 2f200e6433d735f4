import t from 'tap'
import { InvalidName } from './event-store.ts'
import { aggregateIdOf, assertCategories, assertStreamName, categoryOf } from './stream-name.ts'

const invalidName = { name: 'InvalidName' }

t.test('a stream name is <category>-<id>', async (t) => {
  for (const name of [
    'template-tpl_01',
    'slug-monthly-report',
    'apikey-a',
    'v2-a.b:c',
    `template-${'x'.repeat(200)}`,
  ]) {
    t.doesNotThrow(() => assertStreamName(name), name)
  }
  const bad = ['', 'template', 'template-', '-a', 'Template-a', '2template-a', 'my_template-a', '$all', 'template-a b']
  for (const name of [...bad, 'template-a\n', 'template-é', 'template-a/b', `template-${'x'.repeat(201)}`]) {
    t.throws(() => assertStreamName(name), invalidName, JSON.stringify(name))
  }
})

t.test('a long invalid name is shortened in the message', async (t) => {
  try {
    assertStreamName('x'.repeat(5_000))
    t.fail('accepted')
  } catch (err) {
    t.ok(err instanceof InvalidName && err.message.length < 200)
  }
})

t.test('the category ends at the first hyphen, and the id begins there', async (t) => {
  t.equal(categoryOf('slug-monthly-report'), 'slug')
  t.equal(aggregateIdOf('slug-monthly-report'), 'monthly-report')
})

t.test('a list of categories has at least one, each of letters and digits', async (t) => {
  t.doesNotThrow(() => assertCategories(['template', 'slug']))
  t.throws(() => assertCategories([]), invalidName)
  t.throws(() => assertCategories(['template', 'slug-']), invalidName)
})
