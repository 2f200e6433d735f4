import { rm } from 'node:fs/promises'
import { type Environment, readConfig } from '@platen/foundation/settings/config.ts'
import { startGateway } from '@platen/gateway/start.ts'
import { openBackingServices } from '@platen/service-kit/host/backing-services.ts'
import { type ProcessContext, runProcess } from '@platen/service-kit/host/run-process.ts'
import { claimAsAsked } from './claim-as-asked.ts'
import { readDataDir, readNatsChildConfig, readServicesConfig, withEmbeddedServices } from './config.ts'
import { lockDataDir, signingSecret } from './data-dir.ts'
import { startNatsChild } from './nats/nats-child.ts'

// `platen backup drill` runs this with a restored copy of the data. It only answers requests: without a notifier no
// webhook is sent, and without a renderer nothing is printed.

async function startReader({ env, log, resources, fail }: ProcessContext): Promise<void> {
  const dataDir = readDataDir(env)
  resources.use(await lockDataDir(dataDir, log))
  // Port 0: any that is free.
  const nats = { dataDir, port: 0, program: readNatsChildConfig(env).natsServerPath, log }
  const child = resources.use(await startNatsChild(nats))
  const found = { natsUrl: child.url, signingSecret: await signingSecret(dataDir) }
  const settings = { ...withEmbeddedServices(env, dataDir, found), ...child.settings }
  const config = readConfig(settings, readServicesConfig)
  await claimAsAsked(dataDir, config.backingServices, log)
  const opening = { service: 'drill', log, resources, fail, ownsNats: true }
  const services = await openBackingServices(config.backingServices, opening)
  await services.joined
  // URLs of files name the address that it listens on.
  const gateway = resources.use(await startGateway({ ...config.gateway, publicUrl: undefined }, services))
  process.stdout.write(`${JSON.stringify({ url: gateway.url })}\n`)
}

/**
 * Ends when its standard input ends, which the parent process holds open, so that it also ends if the parent is killed.
 * Then removes `scratch`.
 */
export async function runDrill(env: Environment, scratch: string): Promise<number> {
  // Nobody reads its output after the parent has ended.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
  process.stdin.resume().once('close', () => process.kill(process.pid, 'SIGTERM'))
  const code = await runProcess('drill', env, startReader)
  await rm(scratch, { recursive: true, force: true })
  return code
}
