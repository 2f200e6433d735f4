import { publisherOf } from '@platen/service-kit/host/deployment.ts'
import { adoptDeployment, recordedDeployments } from '@platen/service-kit/host/join-deployment.ts'
import { type CommandContext, defineCommand, exitFound } from '../../frame/command.ts'
import { UsageError } from '../../frame/options.ts'
import { alignColumns } from '../../frame/table.ts'

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

export const adopt = defineCommand({
  name: 'deployment adopt',
  summary: 'after DEPLOYMENT was changed: record that NATS and the object store belong to this deployment',
  options: { yes: { about: 'all services are stopped' } },
  notes: [
    'To be run while all services are stopped, also those of the deployment that they belonged to.',
    'After the event store was replaced, use relay reset, which does the same.',
  ],
  async run({ print, note, ...services }, { yes, json }) {
    const { deployment, nats, objects } = await identitiesOf(services)
    const before = [...new Set([nats, objects])].filter((owner) => owner !== undefined && owner !== deployment)
    if (!yes && before.length > 0)
      throw new UsageError(`they belong to ${before.join(' and ')} now; stop all services and add --yes`)
    const log = { warn: (_: unknown, message?: string) => note(message ?? '') }
    const [bus, store] = [await services.openBus(), await services.openObjects()]
    await adoptDeployment({ bus, objects: store, deployment, log })
    print(json ? JSON.stringify({ deployment }) : `NATS and the object store belong to ${deployment}`)
  },
})

export async function identitiesOf({ openStore, openBus, openObjects, env }: Services) {
  const { deployment } = await publisherOf(await openStore(), env)
  return { deployment, ...(await recordedDeployments({ bus: await openBus(), objects: await openObjects() })) }
}

type Services = Pick<CommandContext, 'openStore' | 'openBus' | 'openObjects' | 'env'>
