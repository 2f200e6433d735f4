import { helpers } from '@platen/templating/handlebars/helpers/catalogue.ts'
import { startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())

t.test('every helper that a template may call is listed, as it is documented', async (t) => {
  const { status, body } = await gateway.call('GET', '/v1/helpers', { key: await gateway.issueKey('templates:read') })
  t.equal(status, 200)
  const byName = new Map<string, unknown>(body.data.map((helper: { name: string }) => [helper.name, helper]))
  t.equal(byName.size, body.data.length)
  for (const name of [...Object.keys(helpers), 'if', 'each', 'lookup']) t.ok(byName.has(name), name)
  t.match(byName.get('formatNumber'), {
    family: 'Numbers',
    signature: 'formatNumber value decimals= locale=',
    description: /Formats a number/,
    block: false,
    arguments: { min: 1, max: 1 },
    named: ['decimals', 'locale'],
    examples: [{ template: '{{formatNumber 1234.5}}', result: '1,234.5' }],
  })
  t.match(byName.get('each'), { family: 'Built in', block: true, examples: [{ data: { items: [{}, {}] } }] })
  t.equal((await gateway.call('GET', '/v1/helpers', { key: await gateway.issueKey('generate') })).status, 403)
})
