import type { Generation } from '@platen/domain/generation/generation.ts'
import t from 'tap'
import { startEmbeddedEngines } from '../support/engines.ts'
import { startFleet } from '../support/fleet.ts'
import { until } from '../support/until.ts'

t.setTimeout(600_000)

t.test('a renderer that is stopped finishes a document that needs more than a minute', async (t) => {
  await using engines = await startEmbeddedEngines()
  await using fleet = await startFleet(engines.settings, () => ({ RENDER_TIMEOUT_MS: '300000' }))
  const [gateway] = fleet.gateways
  const body = {
    html: '<p>Late<script>setTimeout(() => { window.late = true }, 80_000)</script>',
    options: { wait_for: { expression: 'window.late' } },
    async: true,
  }
  const { status, body: queued } = await gateway.json<Generation>('/v1/generate', { body })
  t.equal(status, 202)
  const read = async () => (await gateway.json<Generation>(`/v1/generations/${queued.id}`)).body
  await until(async () => (await read()).status === 'rendering' || undefined, 'it is not printed')
  const renderers = fleet.processes.filter(({ service }) => service === 'renderer')
  t.same(await Promise.all(renderers.map((renderer) => renderer.stop())), [0, 0], 'both end in order')
  const ended = await until(async () => {
    const generation = await read()
    return generation.status === 'rendering' ? undefined : generation
  }, 'it has not ended')
  t.equal(ended.status, 'completed')
})
