import { setTimeout as sleep } from 'node:timers/promises'
import type { Generation } from '@platen/domain/generation/generation.ts'
import type { Failure } from '@platen/domain/http/failure.ts'
import type { Template } from '@platen/domain/template/template.ts'
import t from 'tap'
import { runCli, startGuardedEngines } from '../support/engines.ts'
import { startFleet } from '../support/fleet.ts'
import type { Answer } from '../support/platen.ts'
import { download } from '../support/print.ts'
import { until } from '../support/until.ts'

t.setTimeout(600_000)

type Refused = { error: Failure }

const engines = await startGuardedEngines()
t.teardown(() => engines[Symbol.asyncDispose]())
await runCli(engines.operators, 'streams', 'setup')
const fleet = await startFleet(engines.settings)
t.teardown(() => fleet[Symbol.asyncDispose]())
const [one, other] = fleet.gateways
const { eventStore, objectStore } = engines.freeze

const unavailable = (name: string) =>
  until(async () => {
    const health = await fetch(`${one.url}/readyz`)
    const { checks } = (await health.json()) as { checks: Record<string, string> }
    return health.status === 503 && checks[name] === 'unavailable' ? true : undefined
  }, `/readyz does not report ${name} as unavailable`)
const allReady = () =>
  until(async () => {
    const states = await Promise.all(fleet.processes.map(async ({ url }) => (await fetch(`${url}/readyz`)).status))
    return states.every((status) => status === 200) || undefined
  }, 'not every service is ready again')

t.test(
  'while the event store does not answer, reads and asynchronous requests work and changes answer 503',
  { skip: !eventStore && 'a real one cannot be frozen' },
  async (t) => {
    const body = { name: `Frozen ${Date.now().toString(36)}`, html: 'Hello {{name}}' }
    const { body: template } = await one.json<Template>('/v1/templates', { body })
    let queued: Generation
    {
      using _ = eventStore?.()
      t.match(await one.json('/v1/templates', { body }), {
        status: 503,
        body: { error: { code: 'SERVICE_UNAVAILABLE' } },
      })
      t.strictSame((await one.json(`/v1/templates/${template.id}`)).body, template, 'reads work')
      const answer = await other.json<Generation>('/v1/generate', { body: { html: 'Waiting', async: true } })
      t.equal(answer.status, 202, 'asynchronous requests are accepted')
      queued = answer.body
      await unavailable('event_store')
    }
    t.equal((await other.json<Generation>(`/v1/generations/${queued.id}?wait=60`)).body.status, 'completed')
    t.equal((await one.json('/v1/generate', { body: { template: template.id } })).status, 200)
    await allReady()
  },
)

t.test(
  'a synchronous document ends, although the event store did not answer for longer than its client waits',
  { skip: !eventStore && 'a real one cannot be frozen' },
  async (t) => {
    // Of a new template, which a renderer has to read while it records the start.
    const givenTemplate = async () => {
      const body = { name: `Away ${crypto.randomUUID()}`, html: 'Hello' }
      return (await one.json<Template>('/v1/templates', { body })).body.id
    }
    const templates = [await givenTemplate(), await givenTemplate()]
    const [abandoned, awaited] = await (async () => {
      using _ = eventStore?.()
      const answers = await Promise.all([
        one.json<Refused>('/v1/generate', { body: { template: templates[0] } }),
        one.json<Refused>('/v1/generate', { body: { template: templates[1] }, headers: { prefer: 'wait=9' } }),
      ])
      await sleep(6_000)
      return answers
    })()
    t.match([abandoned, awaited], [{ status: 504 }, { status: 504 }])
    const endOf = async ({ body }: Answer<Refused>) => {
      const { generation_id: id } = body.error.details as { generation_id: string }
      return (await one.json<Generation>(`/v1/generations/${id}?wait=60`)).body
    }
    t.equal((await endOf(awaited)).status, 'completed', 'its client may return for it')
    const { status, error } = await endOf(abandoned)
    t.match(status, /^(completed|failed|cancelled)$/, 'no renderer has left it')
    t.not(error?.code, 'QUEUE_FULL', 'a document that has been started is not refused')
    await allReady()
  },
)

t.test(
  'while the object store does not answer, generations wait and files answer 503',
  { skip: !objectStore && 'a real one cannot be frozen' },
  async (t) => {
    const { body: done } = await one.json<Generation>('/v1/generate', { body: { html: 'Before' } })
    let queued: Generation
    {
      using _ = objectStore?.()
      const answer = await other.json<Generation>('/v1/generate', { body: { html: 'Waiting', async: true } })
      t.equal(answer.status, 202)
      queued = answer.body
      t.match((await fetch(done.url ?? '')).status, 503)
      await unavailable('object_store')
      t.match((await one.json<Generation>(`/v1/generations/${queued.id}`)).body.status, /^(queued|rendering)$/)
    }
    const { body } = await other.json<Generation>(`/v1/generations/${queued.id}?wait=60`)
    t.equal(body.status, 'completed')
    t.equal((await download(body.url)).byteLength, body.size)
    t.equal((await download(done.url)).byteLength, done.size)
    await allReady()
  },
)

t.test('no service logged an error', async (t) => {
  for (const { name, errors } of fleet.processes) t.strictSame(errors(), [], name)
})
