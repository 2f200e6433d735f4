import type { Generation } from '@platen/domain/generation/generation.ts'
import t from 'tap'
import { startEmbeddedEngines } from '../support/engines.ts'
import { startFleet } from '../support/fleet.ts'
import { until } from '../support/until.ts'

t.setTimeout(600_000)

t.test('a renderer and a gateway that are stopped finish a document that needs more than a minute', async (t) => {
  await using engines = await startEmbeddedEngines()
  const limits = { RENDER_TIMEOUT_MS: '240000', SYNC_TIMEOUT_MS: '240000' }
  await using fleet = await startFleet(engines.settings, () => limits)
  const [gateway, other] = fleet.gateways
  const body = {
    html: '<p>Late<script>setTimeout(() => { window.late = true }, 80_000)</script>',
    options: { wait_for: { expression: 'window.late' } },
  }
  const answer = gateway.json<Generation>('/v1/generate', { body })
  const isPrinting = async () => {
    const { data } = (await other.json<{ data: Generation[] }>('/v1/generations?status=rendering')).body
    return data.length > 0 || undefined
  }
  await until(isPrinting, 'it is not printed')
  const stopped = fleet.processes.filter(({ name, service }) => service === 'renderer' || name === gateway.name)
  const ends = Promise.all(stopped.map((process) => process.stop()))
  t.match(await answer, { status: 200, body: { status: 'completed' } }, 'the client has its answer')
  t.same(await ends, [0, 0, 0], 'all end in order')
  const { body: ended } = await other.json<{ data: Generation[] }>('/v1/generations')
  t.match(ended.data, [{ status: 'completed' }])
})
