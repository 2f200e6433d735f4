import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { eventCatalogue } from '@platen/domain/catalogue/event-catalogue.ts'
import { objectCategories } from '@platen/domain/streams/object-categories.ts'
import { claimEventStore } from '@platen/event-store/adapters/claim-event-store.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { checkCanListen } from '@platen/foundation/net/listen-failure.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { untilAvailable } from '@platen/foundation/runtime/until-available.ts'
import { type Environment, readConfig } from '@platen/foundation/settings/config.ts'
import { startGateway } from '@platen/gateway/start.ts'
import { openBus } from '@platen/messaging/connection/bus.ts'
import type { NotifierTuning } from '@platen/notifier/config.ts'
import { startNotifier } from '@platen/notifier/start.ts'
import { openObjectStore } from '@platen/object-store/adapters/open-object-store.ts'
import { programEnvironment } from '@platen/renderer/chromium/browser/environment.ts'
import { reasonForNoSandbox } from '@platen/renderer/chromium/browser/launch.ts'
import type { RendererTuning } from '@platen/renderer/config.ts'
import { startRenderer } from '@platen/renderer/start.ts'
import { type BackingServicesConfig, openBackingServices } from '@platen/service-kit/host/backing-services.ts'
import { claimFile } from '@platen/service-kit/host/claim-file.ts'
import { deploymentOf } from '@platen/service-kit/host/deployment.ts'
import { reportHealth } from '@platen/service-kit/host/health.ts'
import { type ProcessContext, runProcess } from '@platen/service-kit/host/run-process.ts'
import { startTogether } from '@platen/service-kit/host/start-together.ts'
import { claim } from '@platen/service-kit/relay/claim.ts'
import { startTemplate } from '@platen/template/start.ts'
import { openTemplateEngine } from '@platen/templating/handlebars/engine.ts'
import { buildSite } from './build-site.ts'
import { longestWorkMs, readDataDir, readNatsChildConfig, readServicesConfig, withEmbeddedServices } from './config.ts'
import { lockDataDir, shareOfEvents, signingSecret } from './data-dir.ts'
import { firstApiKey } from './first-api-key.ts'
import { startNatsChild } from './nats/nats-child.ts'
import { printWelcome } from './print-welcome.ts'

const service = 'single-node'

/** Settings of tests and measurements that no operator needs. */
export interface PlatenTuning {
  renderer?: Partial<RendererTuning>
  notifier?: Partial<NotifierTuning>
  /** Whether the output is stored, as in the log of a container. No secret is printed then. */
  isOutputKept?: boolean
  /** Builds the site of the documentation in DATA_DIR. For a clone of the repository, which has no built site. */
  buildsSite?: boolean
}

/** Starts nats-server, unless there is one, and all services. */
export const startPlaten =
  (tuning: PlatenTuning = {}) =>
  async ({ env, log, resources, fail, setLongestWork }: ProcessContext) => {
    const dataDir = readDataDir(env)
    const nats = readNatsChildConfig(env)
    resources.use(await lockDataDir(dataDir, log))
    const secret = await signingSecret(dataDir)
    const found = { natsUrl: 'nats://127.0.0.1', signingSecret: secret }
    const check = withEmbeddedServices(env, dataDir, found)
    // Every setting is checked before anything is started.
    const { gateway: listening, backingServices } = readConfig(check, readServicesConfig)
    await checkCanListen({ ...listening, portSetting: 'PORT' })
    // This comes before nats-server writes to its files: a start that refuses the event store must change nothing.
    claimEventStore(backingServices.eventStoreUrl, eventCatalogue)

    const options = { dataDir, port: nats.natsPort, program: nats.natsServerPath, log }
    const child = nats.natsUrl === undefined ? resources.use(await startNatsChild(options)) : undefined
    const config = readConfig({ ...check, ...child?.settings }, readServicesConfig)
    setLongestWork(longestWorkMs(config))
    await claimAsAsked(dataDir, config.backingServices, log)
    const eventsDefaultMb = nats.natsUrl === undefined ? await shareOfEvents(dataDir) : undefined
    const backing = { ...config.backingServices, eventsDefaultMb }
    const opening = { service, log, resources, fail, ownsNats: child !== undefined }
    const services = await openBackingServices(backing, opening)
    await services.joined
    // Templates are checked and filled in by the same threads.
    const engine = resources.use(
      openTemplateEngine({ workers: Math.max(2, config.renderer.slots), ownHelpers: config.renderer.ownHelpers, log }),
    )
    // The start of Chromium takes longest. The gateway is built in the meantime, after the other services have sent
    // their requests to NATS: these would time out while the gateway compiles its routes on a busy machine.
    const startingRenderer = startRenderer(
      { ...config.renderer, ...tuning.renderer },
      services,
      programEnvironment(env),
      engine,
    )
    const notifier = { ...config.notifier, ...tuning.notifier }
    const startingOthers = [
      startTemplate(config.renderer, services, engine),
      startNotifier(notifier, services),
    ] as const
    const checksOfAll = Promise.all([startingRenderer, ...startingOthers]).then((started) =>
      started.flatMap(({ checks }) => checks),
    )
    // The gateway awaits it late. Until then, its failure is not an unhandled rejection.
    checksOfAll.catch(() => {})
    const buildsSite = tuning.buildsSite === true && config.gateway.docs === 'on'
    const siteFolder = join(dataDir, 'site')
    const http = buildsSite ? { ...config.gateway, siteFolder } : config.gateway
    const startingGateway = Promise.all(startingOthers).then(() => startGateway(http, services, checksOfAll))
    const [renderer, , , gateway] = await startTogether(resources, [
      startingRenderer,
      ...startingOthers,
      startingGateway,
    ])
    // Last, because a start that fails could not show it.
    const firstKey =
      config.gateway.apiKey === undefined
        ? await untilAvailable(() => firstApiKey(services.store, { dataDir, log }), { log, name: 'event store' })
        : undefined
    const { reasons } = await reportHealth(renderer.checks)
    const hasStudio = config.gateway.studio === 'on'
    const noSandbox = reasonForNoSandbox(config.renderer.sandbox)
    const shown = { url: gateway.url, hasStudio, natsUrl: nats.natsUrl, problem: reasons?.browser, noSandbox }
    const isTerminal = process.stdout.isTTY === true && !tuning.isOutputKept
    await printWelcome(shown, { firstKey, output: process.stdout, isTerminal })
    if (buildsSite) resources.use(buildSite({ folder: siteFolder, environment: programEnvironment(env), log }))
  }

if (import.meta.main) {
  const [mode, scratch] = process.argv.slice(2)
  const isDrill = mode === 'drill' && scratch !== undefined
  const start = startPlaten({ isOutputKept: mode === 'contained', buildsSite: mode === 'checkout' })
  process.exit(await (isDrill ? runDrill(process.env, scratch) : runProcess('platen', process.env, start)))
}

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
async function runDrill(env: Environment, scratch: string): Promise<number> {
  // Nobody reads its output after the parent has ended.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
  process.stdin.resume().once('close', () => process.kill(process.pid, 'SIGTERM'))
  const code = await runProcess('drill', env, startReader)
  await rm(scratch, { recursive: true, force: true })
  return code
}

/**
 * Claims NATS and the object store if `platen restore` or `platen deployment claim` has requested it. To be called
 * before a service runs.
 */
async function claimAsAsked(dataDir: string, config: BackingServicesConfig, log: Logger): Promise<void> {
  const asked = claimFile(dataDir)
  if (!existsSync(asked)) return
  await using resources = new AsyncDisposableStack()
  const bus = resources.use(await openBus(config.nats, 'platen claim', log))
  const store = resources.adopt(await openEventStore(config.eventStoreUrl), (store) => store.close())
  const { objectStoreUrl, objectStoreOptions } = config
  const options = { ...objectStoreOptions, categories: objectCategories }
  const objects = resources.adopt(await openObjectStore(objectStoreUrl, options), (objects) => objects.close())
  const deployment = await deploymentOf(store, config)
  const relays = await claim({ bus, store, objects, deployment, log })
  await rm(asked)
  log.info({ deployment, relays }, 'NATS and the object store belong to this deployment now')
}
