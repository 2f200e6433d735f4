import { type ApiKeyState, evolveApiKey } from '@platen/shared/api-keys/api-key-state.ts'
import { issueApiKey, newApiKey, revokeApiKey, rotateWebhookSecret } from '@platen/shared/api-keys/api-keys.ts'
import { type ApiKeyEvent, allScopes, type Scope } from '@platen/shared/contracts/api-key.ts'
import type { EventStore } from '@platen/shared/event-store/event-store.ts'
import { domainEvent } from '@platen/shared/event-store/handle-command.ts'
import { aggregateIdOf } from '@platen/shared/event-store/stream-name.ts'
import { type Command, onlyArgument, parseOptions, UsageError } from './command.ts'
import { history } from './history.ts'

export const issueKey: Command = {
  synopsis: '--name NAME [--scopes a,b] [--create]',
  summary: `issue an API key and print it once; scopes: ${allScopes.join(', ')} (default: all); --create: in a new event store`,
  async run({ openStore, args, print }) {
    const { values } = parseOptions(args, {
      name: { type: 'string' },
      scopes: { type: 'string' },
      create: { type: 'boolean' },
    })
    if (!values.name?.trim()) throw new UsageError('--name is required')
    const scopes = values.scopes === undefined ? allScopes : parseScopes(values.scopes)
    const key = newApiKey()
    const id = await issueApiKey(await openStore({ create: values.create }), { key, name: values.name, scopes })
    print(`${id}\n${key}`)
  },
}

export const listKeys: Command = {
  synopsis: '',
  summary: 'list all API keys, without their secrets',
  async run({ openStore, print }) {
    for (const [id, key] of await foldKeys(await openStore())) {
      if (key.status !== 'absent') print([id, key.status.padEnd(7), `${key.prefix}…`, key.scopes, key.name].join('  '))
    }
  },
}

export const revokeKey: Command = {
  synopsis: '<key id>',
  summary: 'revoke an API key',
  async run({ openStore, args, print }) {
    const id = onlyArgument(parseOptions(args, {}).positionals, 'key id')
    await revokeApiKey(await openStore(), id)
    print(`revoked ${id}`)
  },
}

export const rotateWebhookSecretOf: Command = {
  synopsis: '<key id>',
  summary: 'sign webhooks with a new secret; the old secret also signs for a day',
  async run({ openStore, args, print }) {
    const id = onlyArgument(parseOptions(args, {}).positionals, 'key id')
    await rotateWebhookSecret(await openStore(), id)
    print(`${id} has a new webhook secret; read it with GET /v1/webhook-secret`)
  },
}

function parseScopes(text: string): Scope[] {
  return text.split(',').map((name) => {
    const scope = allScopes.find((known) => known === name.trim())
    if (!scope) throw new UsageError(`unknown scope "${name}"; scopes: ${allScopes.join(', ')}`)
    return scope
  })
}

async function foldKeys(store: EventStore): Promise<Map<string, ApiKeyState>> {
  const keys = new Map<string, ApiKeyState>()
  for await (const event of history(store, { categories: ['apikey'] })) {
    const id = aggregateIdOf(event.stream)
    keys.set(id, evolveApiKey(keys.get(id) ?? { status: 'absent' }, domainEvent<ApiKeyEvent>(event)))
  }
  return keys
}
