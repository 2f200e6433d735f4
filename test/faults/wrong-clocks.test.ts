import { join } from 'node:path'
import type { Generation } from '@platen/domain/generation/generation.ts'
import t from 'tap'
import { startEmbeddedEngines } from '../support/engines.ts'
import { type Gateway, startFleet } from '../support/fleet.ts'
import { startReceiver } from '../support/notifier/receiver.ts'
import { until } from '../support/until.ts'
import { type HostClock, hostClock } from '../support/wrong-clock.ts'

t.setTimeout(300_000)

const hourMs = 3_600_000
const retryMs = 2_500
const webhooks = 6
/** The first process of each service is an hour ahead of NATS, and the second one an hour behind. */
const wrongBy = (name: string) => (name.endsWith('1') ? hourMs : -hourMs)

const engines = await startEmbeddedEngines()
t.teardown(() => engines[Symbol.asyncDispose]())
const clocks = new Map<string, HostClock>()
const fleet = await startFleet(engines.settings, (name) => {
  const clock = clocks.get(name) ?? hostClock(join(engines.folder, `clock-of-${name}`))
  clock.shift(wrongBy(name))
  clocks.set(name, clock)
  return { ...clock.settings, WEBHOOK_SCHEDULE: `0,${retryMs / 1_000}` }
})
t.teardown(() => fleet[Symbol.asyncDispose]())
/** The first attempt of each webhook fails. */
const receiver = await startReceiver((response, nth) => response.writeHead(nth === 1 ? 500 : 204).end())
t.teardown(() => receiver[Symbol.asyncDispose]())
const processOf = (name: string) => fleet.processes.find((one) => one.name === name)

const busy = '<script>const until = Date.now() + 100; while (Date.now() < until);</script>'

async function tryAll(gateway: Gateway, name: string) {
  const made = await gateway.json<{ id: string }>('/v1/templates', { body: { name, html: `<p>{{n}}${busy}` } })
  const changed = await gateway.json(`/v1/templates/${name}`, {
    method: 'PATCH',
    body: { html: `<p>No. {{n}}${busy}` },
  })
  const template = made.body.id
  const document = () => gateway.json<Generation>('/v1/generate', { body: { template, data: { n: 1 } } })
  const printed = await Promise.all(Array.from({ length: 4 }, document))
  const previewed = await gateway.request('/v1/preview', { body: { template, data: { n: 1 }, client: name } })
  const compared = await gateway.json(`/v1/templates/${name}/compare?pages=true`)
  const statuses = [made, changed, ...printed, previewed, compared].map(({ status }) => status)
  return { statuses, url: printed[0]?.body.url ?? '' }
}

t.test('requests are answered, whichever processes with wrong clocks they pass', async (t) => {
  for (const [index, gateway] of fleet.gateways.entries()) {
    const { statuses, url } = await tryAll(gateway, `clock-${index}`)
    t.strictSame(statuses, [201, ...Array(7).fill(200)], `by ${gateway.name}`)
    const other = fleet.gateways[1 - index]?.url ?? ''
    t.equal(
      (await fetch(url.replace(/^http:\/\/[^/]+/, other))).status,
      200,
      'another gateway accepts the URL of the file',
    )
  }
})

t.test('clocks that jump while they run refuse nothing', async (t) => {
  for (const [name, clock] of clocks) clock.shift(-24 * wrongBy(name))
  await new Promise((resolve) => setTimeout(resolve, 300))
  const { statuses } = await tryAll(fleet.gateways[0], 'jump')
  t.strictSame(statuses, [201, ...Array(7).fill(200)])
  for (const [name, clock] of clocks) clock.shift(wrongBy(name))
})

t.test('a webhook is sent again when it is due, and once, also by another notifier', async (t) => {
  const paths = Array.from({ length: webhooks }, (_, nth) => `/hook-${nth}`)
  const send = (path: string, nth: number) =>
    fleet.gateways[nth % 2 === 0 ? 0 : 1].json('/v1/generate', {
      body: { html: '<p>hook', async: true, webhook_url: receiver.url(path) },
    })
  const sent = await Promise.all(paths.map(send))
  t.strictSame(
    sent.map(({ status }) => status),
    paths.map(() => 202),
  )
  for (const path of paths) await receiver.calls(path, 2)
  // Nobody makes an attempt a third time.
  await new Promise((resolve) => setTimeout(resolve, retryMs))
  for (const path of paths) {
    const [first, second, ...more] = receiver.on(path).map(({ atMs }) => atMs)
    const waitMs = Number(second) - Number(first)
    t.ok(waitMs >= 0.75 * retryMs && waitMs < hourMs / 20 && more.length === 0, `${path} after ${waitMs} ms`)
  }
})

t.test('what a killed process with a clock ahead has begun, others do in time', async (t) => {
  await fleet.gateways[1].json('/v1/generate', {
    body: { html: '<p>over', async: true, webhook_url: receiver.url('/over') },
  })
  await receiver.calls('/over', 1)
  const isRecorded = async () => {
    let recorded = 0
    for await (const { type } of fleet.store.readLog({ after: 'start', categories: ['delivery'] }))
      if (type === 'DeliveryAttempted') recorded++
    return recorded > webhooks || undefined
  }
  await until(isRecorded, 'the attempt is not recorded')
  await processOf('notifier-1')?.kill()
  await processOf('renderer-1')?.kill()
  await receiver.calls('/over', 2)
  await fleet.gateways[1].json('/v1/generate', {
    body: { html: '<p>next', async: true, webhook_url: receiver.url('/next') },
  })
  t.equal((await receiver.calls('/next', 1)).length, 1, 'the relays run on')
})
