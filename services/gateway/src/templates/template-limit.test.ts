import { streams } from '@platen/domain/streams/subjects.ts'
import { startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import { until } from '@platen/test-support/until.ts'
import t from 'tap'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())

/** The names in the commands that wait for the template service, in their order. */
async function queuedNames(): Promise<string[]> {
  const { jsm } = gateway.services.bus
  const { first_seq, last_seq } = (await jsm.streams.info(streams.commands)).state
  const names: string[] = []
  for (let seq = Math.max(1, first_seq); seq <= last_seq; seq++) {
    const { data } = await jsm.streams.getMessage(streams.commands, { seq })
    names.push(JSON.parse(Buffer.from(data).toString()).data.name)
  }
  return names
}

t.test('templates and partials that one key saves do not queue before those of another key', async (t) => {
  const key = await gateway.issueKey()
  await gateway.stopTemplateService()
  const save = (name: string, call = {}, path = '/v1/templates') =>
    gateway.call('POST', path, { body: { name, html: 'x' }, ...call })
  const many = Array.from({ length: 60 }, (_, at) => save(`many-${at}`, {}, at % 2 ? '/v1/partials' : '/v1/templates'))
  await until(async () => (await queuedNames()).length > 0 || undefined, 'nothing is queued')
  const one = save('one', { key })
  const queued = await until(async () => {
    const names = await queuedNames()
    return names.includes('one') ? names : undefined
  }, 'the template of the other key is not queued')
  // Others of the first key follow when its earlier ones are refused, which takes seconds.
  t.ok(queued.indexOf('one') < 30, queued.join(' '))
  await gateway.startTemplateService()
  await Promise.all([one, ...many])
  t.equal((await save('again', { key })).status, 201)
})

t.test('a change that waits for too long is told that others of its owner were before it', async (t) => {
  await gateway.stopTemplateService()
  const save = (at: number) => gateway.call('POST', '/v1/templates', { body: { name: `late-${at}`, html: 'x' } })
  const answers = await Promise.all(Array.from({ length: 24 }, (_, at) => save(at)))
  t.same(new Set(answers.map(({ status }) => status)), new Set([503, 429]))
  const refused = answers.find(({ status }) => status === 429)
  t.match(refused?.body, { error: { code: 'CONCURRENCY_LIMIT_EXCEEDED', message: /concurrent changes/ } })
  t.equal(refused?.headers.get('retry-after'), '1')
  await gateway.startTemplateService()
})
