import { readConfig } from '@platen/foundation/settings/config.ts'
import t from 'tap'
import { readGatewayConfig } from '../../services/gateway/src/config.ts'
import { readRendererConfig } from '../../services/renderer/src/config.ts'
import { startPlaten } from '../support/platen.ts'

const endless = '<script>for (;;);</script>'

t.test('by default a synchronous request waits for longer than a document may take', async (t) => {
  const { syncTimeoutMs } = readConfig({ SIGNING_SECRET: 'x'.repeat(32) }, readGatewayConfig)
  const { deadlineMs } = readConfig({ PLATEN_URL: 'http://127.0.0.1' }, readRendererConfig)
  t.ok(syncTimeoutMs >= deadlineMs + 5_000, `${syncTimeoutMs} and ${deadlineMs} ms`)
})

t.test('so that its answer says why a document that was too slow has failed', async (t) => {
  await using platen = await startPlaten({ RENDER_TIMEOUT_MS: '2000' })
  const { status, body } = await platen.json('/v1/generate', { body: { html: endless } })
  t.match({ status, body }, { status: 504, body: { error: { code: 'RENDER_TIMEOUT' } } })
})
