import { writePrivateFile } from '@platen/foundation/runtime/private-file.ts'
import { readConfig } from '@platen/foundation/settings/config.ts'
import { claimFile } from '@platen/service-kit/host/claim-file.ts'
import { publisherOf } from '@platen/service-kit/host/deployment.ts'
import { readEmbeddedNats } from '@platen/service-kit/host/embedded-nats.ts'
import { recordedDeployments } from '@platen/service-kit/host/join-deployment.ts'
import { requireStopped } from '@platen/service-kit/relay/relay-holders.ts'
import { stoppedRelays } from '@platen/service-kit/relay/stopped-relays.ts'
import { type CommandContext, defineCommand, exitFound, readDataDir } from '../../frame/command.ts'
import { isInUse } from '../../frame/is-in-use.ts'
import { dryRun, UsageError } from '../../frame/options.ts'
import { alignColumns } from '../../frame/table.ts'
import { claimAll } from './claim-all.ts'

export const showDeployment = defineCommand({
  name: 'deployment',
  summary: 'print the identity of this deployment, and to which one NATS and the object store belong',
  notes: ['Exits with 1 if one of them belongs to another deployment.'],
  async run({ print, ...services }, { json }) {
    const { deployment, nats, objects } = await identitiesOf(services)
    if (json) print(JSON.stringify({ deployment, nats: nats ?? null, object_store: objects ?? null }))
    else {
      const unused = 'nobody; the next start of a service takes it'
      const rows = [
        ['this deployment', deployment],
        ['NATS', nats ?? unused],
        ['object store', objects ?? unused],
      ]
      for (const line of alignColumns(rows)) print(line)
    }
    return [nats, objects].some((owner) => owner !== undefined && owner !== deployment) ? exitFound : 0
  },
})

export const claim = defineCommand({
  name: 'deployment claim',
  summary:
    'claim NATS and the object store for this deployment, after the event store was replaced or DEPLOYMENT was changed',
  options: { yes: { about: 'confirms that all services are stopped' }, ...dryRun },
  notes: [
    'To be run while all services are stopped, also those of the deployment that they belonged to.',
    'Services that could not publish to EVENTS, as it is of another event store, publish what is recorded from now on.',
    'EVENTS keeps its messages. `replay --to-events --since <time>` publishes older events afterwards.',
    'For `npm start`, whose NATS is stopped too, the next start does it.',
  ],
  async run({ print, ...services }, { yes, json, 'dry-run': isDryRun }) {
    const dataDir = await stoppedSingleNode(services)
    if (dataDir !== undefined) {
      if (isDryRun)
        return print(
          json
            ? JSON.stringify({ at_next_start: true, dry_run: true })
            : 'the next start would claim NATS and the object store',
        )
      if (!yes) throw new UsageError('the next start claims NATS and the object store; add --yes')
      await writePrivateFile(claimFile(dataDir), `${new Date().toISOString()}\n`)
      return print(json ? JSON.stringify({ at_next_start: true }) : 'the next start claims NATS and the object store')
    }
    const { deployment, nats, objects } = await identitiesOf(services)
    const owners = [...new Set([nats, objects])].filter((owner) => owner !== undefined && owner !== deployment)
    const bus = await services.openBus()
    const stopped = await stoppedRelays(await services.openStore(), bus)
    if (owners.length > 0 || stopped.length > 0) {
      const now = owners.length > 0 ? `belong to ${owners.join(' and ')}` : 'are of another event store'
      if (!yes && !isDryRun) throw new UsageError(`they ${now} now; stop all services and add --yes`)
      await requireStopped(bus)
    }
    if (isDryRun) {
      const was = { nats: nats ?? null, object_store: objects ?? null }
      if (json) return print(JSON.stringify({ deployment, relays: stopped, was, dry_run: true }))
      print(
        `NATS and the object store would belong to ${deployment}; now to ${nats ?? 'nobody'} and ${objects ?? 'nobody'}`,
      )
      for (const relay of stopped) print(`${relay} would publish what is recorded from then on`)
      return
    }
    const relays = await claimAll(services)
    if (json) return print(JSON.stringify({ deployment, relays }))
    print(`NATS and the object store belong to ${deployment}`)
    for (const relay of relays) print(`${relay} publishes what is recorded from now on`)
  },
})

/** The data folder, if `npm start` and its NATS are stopped. */
async function stoppedSingleNode({ env }: Pick<CommandContext, 'env'>): Promise<string | undefined> {
  const dataDir = readConfig(env, readDataDir)
  const isSingleNode = env.NATS_URL === undefined && (await readEmbeddedNats(dataDir)) !== undefined
  return isSingleNode && !isInUse(dataDir) ? dataDir : undefined
}

export async function identitiesOf({ openStore, openBus, openObjects, env }: Services) {
  const { deployment } = await publisherOf(await openStore(), env)
  return { deployment, ...(await recordedDeployments({ bus: await openBus(), objects: await openObjects() })) }
}

type Services = Pick<CommandContext, 'openStore' | 'openBus' | 'openObjects' | 'env'>
