import t from 'tap'
import { openSchemaChecker } from './schema-checker.ts'

const one = { owner: 'one', key: 'key' }
const data = (value: object) => [{ name: 'data', value: value as Record<string, never> }]

t.test('problems have the name of the value', async (t) => {
  await using checker = openSchemaChecker({ timeoutMs: 60_000 })
  await checker.check(one, { required: ['a'] }, data({ a: 1 }))
  await t.rejects(checker.check(one, { required: ['a'] }, [...data({}), { name: 'samples.x', value: {} }]), {
    code: 'VALIDATION_ERROR',
    message: 'data.a is required',
    details: [
      { path: 'data.a', message: 'is required' },
      { path: 'samples.x.a', message: 'is required' },
    ],
  })
  await t.rejects(checker.check(one, { required: ['a'] }, [{ name: 'data', value: '{"b":1}' }]), {
    message: 'data.a is required',
  })
  await t.rejects(checker.check(one, { type: 5 }, []), {
    code: 'VALIDATION_ERROR',
    details: [{ path: 'data_schema.type' }],
  })
})

t.test('a check that takes too long ends alone, and the event loop is free meanwhile', async (t) => {
  await using checker = openSchemaChecker({ timeoutMs: 2_000 })
  const many = Array.from({ length: 30_000 }, (_, at) => ({ at }))
  const slow = checker.check(one, { properties: { many: { uniqueItems: true } } }, data({ many }))
  let turns = 0
  const turning = setInterval(() => turns++, 5)
  await t.rejects(slow, { code: 'TEMPLATE_TOO_COMPLEX', message: /longer than 2000 ms/ })
  clearInterval(turning)
  t.ok(turns > 1, 'timers ran')
  await checker.check(one, { required: ['a'] }, data({ a: 1 }))
})

t.test('owners take turns, also one with several API keys', async (t) => {
  await using checker = openSchemaChecker({ timeoutMs: 60_000 })
  const order: string[] = []
  const check = (owner: string, key = owner) =>
    checker.check({ owner, key }, {}, data({})).then(() => order.push(owner))
  await Promise.all([check('busy'), check('busy', 'b'), check('busy', 'c'), check('busy', 'd'), check('other')])
  t.ok(order.indexOf('other') < 3, order.join(' '))
})

t.test('a closed checker refuses', async (t) => {
  const checker = openSchemaChecker()
  await checker[Symbol.asyncDispose]()
  await t.rejects(checker.check(one, {}, []), /closed/)
})
