import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Generation } from '@platen/domain/generation/generation.ts'
import t, { type Test } from 'tap'
import { runCli } from '../support/engines.ts'
import { startFleet } from '../support/fleet.ts'
import { type Load, startLoad } from '../support/load.ts'
import { startNatsCluster } from '../support/nats-cluster.ts'
import { startReceiver } from '../support/notifier/receiver.ts'
import { readGenerations } from '../support/recorded.ts'
import { until } from '../support/until.ts'

t.setTimeout(600_000)

const folder = await mkdtemp(join(tmpdir(), 'platen-cluster-'))
t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
const cluster = await startNatsCluster()
t.teardown(() => cluster[Symbol.asyncDispose]())
await runCli({ NATS_URL: cluster.url }, 'streams', 'setup', '--replicas', '3')
const receiver = await startReceiver()
t.teardown(() => receiver[Symbol.asyncDispose]())
const fleet = await startFleet({
  NATS_URL: cluster.url,
  EVENT_STORE_URL: `sqlite:${folder}/events.db`,
  OBJECT_STORE_URL: `file:${folder}/objects`,
})
t.teardown(() => fleet[Symbol.asyncDispose]())
const [gateway] = fleet.gateways

/** How long a gateway waits for the cluster before it answers 503: 4 s from when it has noticed, which may be before a request. */
const patienceMs = 3_500
/** On a busy machine, an election and what follows can take longer than that. Then another round decides. */
const rounds = 3

/** SIGUSR2 is what `nats-server --signal ldm` sends: the server hands over what it leads, then its clients, and ends. */
for (const [way, signal] of [
  ['SIGTERM', 'SIGTERM'],
  ['lame duck mode', 'SIGUSR2'],
] as const) {
  t.test(`no request fails while each nats-server of a cluster is restarted, by ${way}`, async (t) => {
    for (let round = 1; ; round++) {
      const load = await restartEachUnderLoad(signal)
      await everyDocumentIsDelivered(t, load)
      const failures = load.kinds.flatMap(({ name, failures }) => failures.map((failure) => ({ name, ...failure })))
      const isLate = failures.every(({ tookMs, failure }) => tookMs >= patienceMs && statusOf(failure) === 503)
      if (failures.length > 0 && isLate && round < rounds) {
        t.comment(`round ${round}: ${JSON.stringify(failures)}`)
        continue
      }
      t.strictSame(failures, [])
      return
    }
  })
}

const statusOf = (failure: unknown) => (failure as { status?: number }).status

async function restartEachUnderLoad(signal: 'SIGTERM' | 'SIGUSR2'): Promise<Load> {
  const load = await startLoad({ gateways: () => fleet.gateways, receiver, pauseMs: 250 })
  const everyKindSucceeds = async () => {
    const before = new Map(load.kinds.map(({ name, succeeded }) => [name, succeeded]))
    const isAnswered = () =>
      load.kinds.every(({ name, succeeded, failures }) => succeeded > (before.get(name) ?? 0) || failures.length > 0)
    await until(() => isAnswered() || undefined, 'some requests are not answered')
  }
  await everyKindSucceeds()
  for (const server of cluster.servers) {
    await server.stop(signal)
    await server.restart()
    await cluster.untilCurrent()
    await everyKindSucceeds()
  }
  await load.stop()
  return load
}

async function everyDocumentIsDelivered(t: Test, { accepted }: Load): Promise<void> {
  t.ok(accepted.size > 0)
  for (const [id, path] of accepted) {
    const { body } = await gateway.json<Generation>(`/v1/generations/${id}?wait=60`)
    t.equal(body.status, 'completed', id)
    const calls = await receiver.calls(path, 1)
    t.equal(new Set(calls.map(({ headers }) => headers['webhook-id'])).size, 1, `the webhook of ${id}`)
  }
  const recorded = await readGenerations(fleet)
  for (const id of accepted.keys()) {
    const ends = recorded.get(id)?.types.filter((type) => type === 'GenerationCompleted')
    t.equal(ends?.length, 1, `${id} is completed once`)
  }
}

t.test('every service is ready', async (t) => {
  for (const { name, url } of fleet.processes) {
    const ready = async () => ((await fetch(`${url}/readyz`)).ok ? true : undefined)
    t.ok(await until(ready, `${name} is not ready`))
  }
})
