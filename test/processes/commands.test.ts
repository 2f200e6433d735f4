import t from 'tap'
import { commands } from '../../cli/src/commands.ts'
import { natsServerPath } from '../support/nats-server.ts'
import { startPlaten } from '../support/platen.ts'
import { tried, tryAll } from './try-commands.ts'

t.setTimeout(600_000)

t.test('every command is tried', async (t) => {
  const names = commands.map(({ name }) => name)
  t.same([...tried].sort(), names.sort(), 'add a missing one to the cases of try-commands.ts')
})

t.test('on the single node', async (t) => {
  await using resources = new AsyncDisposableStack()
  const node = resources.use(await startPlaten())
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const program = { PATH, NODE_COMPILE_CACHE, NATS_SERVER_PATH: natsServerPath }
  const env = { DATA_DIR: node.dataDir, PLATEN_URL: node.url, API_KEY: node.apiKey, ...program }
  await tryAll(t, resources, { kind: 'single node', env, json: node.json, stop: node.stop })
})
