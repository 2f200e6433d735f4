import { allScopes, ownScopes, type Scope } from '@platen/domain/api-key/api-key.ts'
import type { ApiKeyEvent, KeyUseEvent, SessionEnded } from '@platen/domain/api-key/api-key-events.ts'
import {
  issueApiKey,
  longestGraceDays,
  newApiKey,
  readApiKey,
  revokeApiKey,
  rotateApiKey,
} from '@platen/domain/api-key/api-keys.ts'
import { type ApiKeyState, absentApiKey, evolveApiKey } from '@platen/domain/api-key/decide-api-key.ts'
import { defaultOwnerId } from '@platen/domain/ids/owner-id.ts'
import type { Unreadable } from '@platen/event-store/decider.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import { history } from '@platen/event-store/history.ts'
import { aggregateIdOf, categoryOf } from '@platen/event-store/stream-name.ts'
import { readConfig } from '@platen/foundation/settings/config.ts'
import { defineCommand, one } from '../../frame/command.ts'
import { hasEventStore, readEventStoreUrl } from '../../frame/open-services.ts'
import { dryRun, duration, nameOption, UsageError } from '../../frame/options.ts'
import { withoutAppends } from '../../frame/without-appends.ts'
import { findOwner } from '../owners/owners.ts'

export const issueKey = defineCommand({
  name: 'keys issue',
  summary: 'issue an API key and print it once',
  options: {
    name: { ...nameOption('of the key'), required: true },
    owner: { value: 'OWNER', about: 'the id or name of its owner', default: defaultOwnerId },
    scopes: { value: 'a,b', about: `some of ${allScopes.join(', ')} (default: all but admin)`, read: readScopes },
    create: { about: 'creates an event store where there is none' },
    ...dryRun,
  },
  async run({ openStore, env, print }, { name, owner, scopes = ownScopes, create, json, 'dry-run': isDryRun }) {
    // A new event store has the default owner only. A dry run does not make one.
    const isEmpty = isDryRun && create && owner === defaultOwnerId && !hasEventStore(readConfig(env, readEventStoreUrl))
    const open = () => openStore({ create: create && !isDryRun })
    const ownerId = isEmpty ? owner : await findOwner(await open(), owner)
    if (isDryRun) {
      const would = { dry_run: true, name, owner_id: ownerId, scopes }
      return print(json ? JSON.stringify(would) : `a key ${name} of ${ownerId} with ${scopes} would be issued`)
    }
    const key = newApiKey()
    const id = await issueApiKey(await open(), { key, name, scopes, ownerId })
    print(json ? JSON.stringify({ id, owner_id: ownerId, key }) : `${id}\n${key}`)
  },
})

export const listKeys = defineCommand({
  name: 'keys list',
  summary: 'list the API keys, without their secrets, with their owner and last use (to the hour)',
  options: { owner: { value: 'OWNER', about: 'only keys of this owner, by id or name' } },
  async run({ openStore, print }, { owner, json }) {
    const store = await openStore()
    const ownerId = owner === undefined ? undefined : await findOwner(store, owner)
    for (const [id, key] of await foldKeys(store)) {
      if (key.status === 'absent' || (ownerId !== undefined && key.ownerId !== ownerId)) continue
      print(json ? jsonOf(id, key) : lineOf(id, key))
    }
  },
})

export const rotateKey = defineCommand({
  name: 'keys rotate',
  argument: one('key id'),
  summary: 'replace the secret of an API key and print it once',
  options: {
    grace: duration('how long the old secret stays accepted (default: it is refused at once)', longestGraceDays),
    ...dryRun,
  },
  async run({ openStore, print }, { argument: id, grace = 0, json, 'dry-run': isDryRun }) {
    const store = await openStore()
    const { key } = await rotateApiKey(isDryRun ? withoutAppends(store) : store, id, { graceS: grace / 1_000 })
    if (isDryRun) return printWould(store, id, { print, json, would: 'would have a new secret' })
    print(json ? JSON.stringify({ id, key }) : key)
  },
})

export const revokeKey = defineCommand({
  name: 'keys revoke',
  argument: one('key id'),
  summary: 'revoke an API key',
  options: dryRun,
  async run({ openStore, print }, { argument: id, json, 'dry-run': isDryRun }) {
    const store = await openStore()
    await revokeApiKey(isDryRun ? withoutAppends(store) : store, id)
    if (isDryRun) return printWould(store, id, { print, json, would: 'would be revoked' })
    print(json ? JSON.stringify({ id, status: 'revoked' }) : `revoked ${id}`)
  },
})

interface Would {
  print: (line: string) => void
  json: boolean
  would: string
}

/** Prints what would be done with an existing key. */
async function printWould(store: EventStore, id: string, { print, json, would }: Would): Promise<void> {
  const key = await readApiKey(store, id)
  if (key.status === 'absent') return
  const text = key.status === 'revoked' ? 'is revoked already' : would
  print(
    json
      ? JSON.stringify({ id, owner_id: key.ownerId, name: key.name, status: key.status, dry_run: true })
      : `${id} (${key.name}) ${text}`,
  )
}

type Known = Exclude<ApiKeyState, { status: 'absent' }> & { lastUsedAt?: string }

function lineOf(id: string, { status, prefix, scopes, name, ownerId, lastUsedAt }: Known): string {
  const use = lastUsedAt === undefined ? 'never used' : `last used ${lastUsedAt}`
  return [id, status.padEnd(7), `${prefix}…`, scopes, name, ownerId, use].join('  ')
}

function jsonOf(id: string, { status, prefix, scopes, name, ownerId, lastUsedAt }: Known): string {
  return JSON.stringify({ id, status, owner_id: ownerId, name, prefix, scopes, last_used_at: lastUsedAt })
}

function readScopes(text: string): Scope[] {
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
    if (categoryOf(event.stream) === 'keyuse') {
      const use = domainEvent<KeyUseEvent>(event)
      if (use.type === 'ApiKeyUsed') keys.set(id, { ...key, lastUsedAt: use.data.at })
      else use satisfies SessionEnded | Unreadable
    } else keys.set(id, evolveApiKey(key, domainEvent<ApiKeyEvent>(event)))
  }
  return keys
}
