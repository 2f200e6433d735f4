import { publisherOf } from '@platen/service-kit/host/deployment.ts'
import { adoptDeployment, recordedDeployments } from '@platen/service-kit/host/join-deployment.ts'
import {
  type Command,
  type CommandContext,
  exitFound,
  jsonOption,
  noArguments,
  parseOptions,
  UsageError,
} from '../../frame/command.ts'
import { alignColumns } from '../../frame/table.ts'

export const showDeployment: Command = {
  synopsis: '[--json]',
  summary: 'print the identity of this deployment, and to which one NATS and the object store belong',
  details: ['Exits with 1 if one of them belongs to another deployment.'],
  async run({ args, print, ...services }) {
    const { values, positionals } = parseOptions(args, jsonOption)
    noArguments(positionals)
    const { deployment, nats, objects } = await identitiesOf(services)
    if (values.json) print(JSON.stringify({ deployment, nats: nats ?? null, object_store: objects ?? null }))
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
}

export const adopt: Command = {
  synopsis: '--yes [--json]',
  summary: 'after DEPLOYMENT was changed: record that NATS and the object store belong to this deployment',
  details: [
    'To be run while all services are stopped, also those of the deployment that they belonged to.',
    'After the event store was replaced, use relay reset, which does the same.',
  ],
  async run({ args, print, note, ...services }) {
    const { values, positionals } = parseOptions(args, {
      yes: { type: 'boolean', default: false },
      ...jsonOption,
    })
    noArguments(positionals)
    const { deployment, nats, objects } = await identitiesOf(services)
    const before = [...new Set([nats, objects])].filter((owner) => owner !== undefined && owner !== deployment)
    if (!values.yes && before.length > 0)
      throw new UsageError(`they belong to ${before.join(' and ')} now; stop all services and add --yes`)
    const log = { warn: (_: unknown, message?: string) => note(message ?? '') }
    const [bus, store] = [await services.openBus(), await services.openObjects()]
    await adoptDeployment({ bus, objects: store, deployment, log })
    print(values.json ? JSON.stringify({ deployment }) : `NATS and the object store belong to ${deployment}`)
  },
}

export async function identitiesOf({ openStore, openBus, openObjects, env }: Services) {
  const { deployment } = await publisherOf(await openStore(), env)
  return { deployment, ...(await recordedDeployments({ bus: await openBus(), objects: await openObjects() })) }
}

type Services = Pick<CommandContext, 'openStore' | 'openBus' | 'openObjects' | 'env'>
