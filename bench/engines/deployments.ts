import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchService, services } from '../../test/support/fleet.ts'
import { freePorts } from '../../test/support/free-port.ts'
import { testApiKey } from '../../test/support/platen.ts'
import { label } from '../documents/label.ts'
import { type HttpClient, openHttpClient } from '../strategies/http-client.ts'
import { expectAnswer, openPlaten } from '../strategies/running-platen.ts'
import { type Timing, type TimingPlan, time } from './timing.ts'

export type DeploymentResult = { name: string; sync: Timing }

/** All services in one process, like `npm start`. */
export async function measureSingleNode(name: string, plan: TimingPlan): Promise<DeploymentResult> {
  await using platen = await openPlaten()
  return { name, sync: await measureSync(platen.client, plan) }
}

/** Four processes, one for each service, with the engines of `settings`. */
export async function measureProcesses(
  name: string,
  settings: Record<string, string>,
  plan: TimingPlan,
): Promise<DeploymentResult> {
  await using resources = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'))
  resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const [port = 0] = await freePorts(1)
  const url = `http://127.0.0.1:${port}`
  const common = { ...settings, SIGNING_SECRET: '0123456789abcdef0123456789abcdef', PUBLIC_URL: url, LOG_LEVEL: 'info' }
  for (const service of services) {
    const own = service === 'gateway' ? { PORT: String(port), API_KEY: testApiKey } : {}
    const running = await launchService(service, { ...common, ...own, DATA_DIR: join(folder, service) })
    resources.defer(() => running.end())
  }
  const client = resources.use(openHttpClient(url, { authorization: `Bearer ${testApiKey}` }))
  return { name, sync: await measureSync(client, plan) }
}

function measureSync(client: HttpClient, plan: TimingPlan): Promise<Timing> {
  const { html } = label()
  return time(async () => expectAnswer(await client.post('/v1/generate', { html }), 200), plan)
}
