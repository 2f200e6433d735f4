import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { objectCategories } from '@platen/domain/streams/object-categories.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { openBus } from '@platen/messaging/connection/bus.ts'
import { openObjectStore } from '@platen/object-store/adapters/open-object-store.ts'
import type { BackingServicesConfig } from '@platen/service-kit/host/backing-services.ts'
import { claimFile } from '@platen/service-kit/host/claim-file.ts'
import { deploymentOf } from '@platen/service-kit/host/deployment.ts'
import { claim } from '@platen/service-kit/relay/claim.ts'

/**
 * Claims NATS and the object store if `platen restore` or `platen deployment claim` has requested it. To be called
 * before a service runs.
 */
export async function claimAsAsked(dataDir: string, config: BackingServicesConfig, log: Logger): Promise<void> {
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
