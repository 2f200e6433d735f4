import t from 'tap'
import { runCli } from '../../cli/src/testing/run-cli.ts'
import { startGuardedEngines } from '../support/engines.ts'
import { startFleet } from '../support/fleet.ts'
import { tryAll } from './try-commands.ts'

t.setTimeout(600_000)

t.test('on separate processes with EventStoreDB, S3 and a NATS with accounts', async (t) => {
  await using resources = new AsyncDisposableStack()
  const engines = resources.use(await startGuardedEngines())
  const env = { ...engines.settings, ...engines.operators, NATS_MANAGE_STREAMS: 'true' }
  t.match(await runCli(env, ['streams', 'setup']), { code: 0 })
  const fleet = resources.use(await startFleet(engines.settings))
  const [gateway] = fleet.gateways
  const stop = () => Promise.all(fleet.processes.map((process) => process.stop()))
  await tryAll(t, resources, {
    kind: 'processes',
    env: { ...env, DATA_DIR: gateway.dataDir, PLATEN_URL: gateway.url, API_KEY: fleet.apiKey },
    json: gateway.json,
    stop,
  })
})
