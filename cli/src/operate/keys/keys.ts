import { allScopes, ownScopes, type Scope } from '@platen/domain/api-key/api-key.ts'
import type { ApiKeyEvent, ApiKeyUsed } from '@platen/domain/api-key/api-key-events.ts'
import { issueApiKey, newApiKey, revokeApiKey, rotateApiKey } from '@platen/domain/api-key/api-keys.ts'
import { type ApiKeyState, absentApiKey, evolveApiKey } from '@platen/domain/api-key/decide-api-key.ts'
import { defaultOwnerId } from '@platen/domain/ids/owner-id.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import { aggregateIdOf, categoryOf } from '@platen/event-store/stream-name.ts'
import { type Command, jsonOption, onlyArgument, parseOptions, UsageError } from '../../frame/command.ts'
import { history } from '../../frame/history.ts'
import { findOwner } from '../owners/owners.ts'

export const issueKey: Command = {
  synopsis: '--name NAME [--owner OWNER] [--scopes a,b] [--create] [--json]',
  summary: `issue an API key and print it once; scopes: ${allScopes.join(', ')} (default: all but admin); --create: in a new event store`,
  async run({ openStore, args, print }) {
    const { values } = parseOptions(args, {
      name: { type: 'string' },
      owner: { type: 'string', default: defaultOwnerId },
      scopes: { type: 'string' },
      create: { type: 'boolean' },
      ...jsonOption,
    })
    if (!values.name?.trim()) throw new UsageError('--name is required')
    const scopes = values.scopes === undefined ? ownScopes : parseScopes(values.scopes)
    const store = await openStore({ create: values.create })
    const ownerId = await findOwner(store, values.owner)
    const key = newApiKey()
    const id = await issueApiKey(store, { key, name: values.name, scopes, ownerId })
    print(values.json ? JSON.stringify({ id, owner_id: ownerId, key }) : `${id}\n${key}`)
  },
}

export const listKeys: Command = {
  synopsis: '[--owner OWNER] [--json]',
  summary: 'list the API keys, without their secrets, with their owner and last use (to the hour)',
  async run({ openStore, args, print }) {
    const { values } = parseOptions(args, {
      owner: { type: 'string' },
      ...jsonOption,
    })
    const store = await openStore()
    const ownerId = values.owner === undefined ? undefined : await findOwner(store, values.owner)
    for (const [id, key] of await foldKeys(store)) {
      if (key.status === 'absent' || (ownerId !== undefined && key.ownerId !== ownerId)) continue
      print(values.json ? jsonOf(id, key) : lineOf(id, key))
    }
  },
}

export const rotateKey: Command = {
  synopsis: '<key id> [--grace HOURS] [--json]',
  summary: 'replace the secret of an API key and print it once; --grace accepts the old one for some hours more',
  async run({ openStore, args, print }) {
    const { values, positionals } = parseOptions(args, {
      grace: { type: 'string', default: '0' },
      ...jsonOption,
    })
    const id = onlyArgument(positionals, 'key id')
    const { grace } = values
    if (!/^\d{1,3}$/.test(grace)) throw new UsageError('--grace must be a number of hours from 0 to 999')
    const key = await rotateApiKey(await openStore(), id, { graceS: Number(grace) * 3_600 })
    print(values.json ? JSON.stringify({ id, key }) : key)
  },
}

export const revokeKey: Command = {
  synopsis: '<key id> [--json]',
  summary: 'revoke an API key',
  async run({ openStore, args, print }) {
    const { values, positionals } = parseOptions(args, jsonOption)
    const id = onlyArgument(positionals, 'key id')
    await revokeApiKey(await openStore(), id)
    print(values.json ? JSON.stringify({ id, status: 'revoked' }) : `revoked ${id}`)
  },
}

type Known = Exclude<ApiKeyState, { status: 'absent' }> & { lastUsedAt?: string }

function lineOf(id: string, { status, prefix, scopes, name, ownerId, lastUsedAt }: Known): string {
  const use = lastUsedAt === undefined ? 'never used' : `last used ${lastUsedAt}`
  return [id, status.padEnd(7), `${prefix}…`, scopes, name, ownerId, use].join('  ')
}

function jsonOf(id: string, { status, prefix, scopes, name, ownerId, lastUsedAt }: Known): string {
  return JSON.stringify({ id, status, owner_id: ownerId, name, prefix, scopes, last_used_at: lastUsedAt })
}

function parseScopes(text: string): Scope[] {
  return text.split(',').map((name) => {
    const scope = allScopes.find((known) => known === name.trim())
    if (!scope) throw new UsageError(`unknown scope "${name}"; scopes: ${allScopes.join(', ')}`)
    return scope
  })
}

async function foldKeys(store: EventStore): Promise<Map<string, ApiKeyState & { lastUsedAt?: string }>> {
  const keys = new Map<string, ApiKeyState & { lastUsedAt?: string }>()
  for await (const event of history(store, { categories: ['apikey', 'keyuse'] })) {
    const id = aggregateIdOf(event.stream)
    const key = keys.get(id) ?? absentApiKey
    if (categoryOf(event.stream) === 'keyuse')
      keys.set(id, { ...key, lastUsedAt: domainEvent<ApiKeyUsed>(event).data.at })
    else keys.set(id, evolveApiKey(key, domainEvent<ApiKeyEvent>(event)))
  }
  return keys
}
