import { allScopes, ownScopes, type Scope } from '@platen/domain/api-key/api-key.ts'
import type { ApiKeyEvent, ApiKeyUsed } from '@platen/domain/api-key/api-key-events.ts'
import { issueApiKey, newApiKey, revokeApiKey, rotateApiKey } from '@platen/domain/api-key/api-keys.ts'
import { type ApiKeyState, absentApiKey, evolveApiKey } from '@platen/domain/api-key/decide-api-key.ts'
import { defaultOwnerId } from '@platen/domain/ids/owner-id.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import { aggregateIdOf, categoryOf } from '@platen/event-store/stream-name.ts'
import { defineCommand, one } from '../../frame/command.ts'
import { history } from '../../frame/history.ts'
import { dryRun, duration, UsageError } from '../../frame/options.ts'
import { findOwner } from '../owners/owners.ts'

export const issueKey = defineCommand({
  name: 'keys issue',
  summary: 'issue an API key and print it once',
  options: {
    name: { value: 'NAME', about: 'of the key', required: true },
    owner: { value: 'OWNER', about: 'the id or name of its owner', default: defaultOwnerId },
    scopes: { value: 'a,b', about: `some of ${allScopes.join(', ')} (default: all but admin)`, read: readScopes },
    create: { about: 'creates an event store where there is none' },
    ...dryRun,
  },
  async run({ openStore, print }, { name, owner, scopes = ownScopes, create, json, 'dry-run': isDryRun }) {
    const store = await openStore({ create: create && !isDryRun })
    const ownerId = await findOwner(store, owner)
    if (isDryRun) {
      const would = { dry_run: true, name, owner_id: ownerId, scopes }
      return print(json ? JSON.stringify(would) : `a key ${name} of ${ownerId} with ${scopes} would be issued`)
    }
    const key = newApiKey()
    const id = await issueApiKey(store, { key, name, scopes, ownerId })
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
  options: { grace: duration('the old secret is accepted so long; without it, it is refused at once'), ...dryRun },
  async run({ openStore, print }, { argument: id, grace = 0, json, 'dry-run': isDryRun }) {
    if (isDryRun) return wouldChange(await openStore(), id, { print, json, would: 'would have a new secret' })
    const { key } = await rotateApiKey(await openStore(), id, { graceS: grace / 1_000 })
    print(json ? JSON.stringify({ id, key }) : key)
  },
})

export const revokeKey = defineCommand({
  name: 'keys revoke',
  argument: one('key id'),
  summary: 'revoke an API key',
  options: dryRun,
  async run({ openStore, print }, { argument: id, json, 'dry-run': isDryRun }) {
    if (isDryRun) return wouldChange(await openStore(), id, { print, json, would: 'would be revoked' })
    await revokeApiKey(await openStore(), id)
    print(json ? JSON.stringify({ id, status: 'revoked' }) : `revoked ${id}`)
  },
})

interface Would {
  print: (line: string) => void
  json: boolean
  would: string
}

/** Throws if the key does not exist, or was revoked. */
async function wouldChange(store: EventStore, id: string, { print, json, would }: Would): Promise<void> {
  const key = (await foldKeys(store)).get(id)
  if (key === undefined || key.status === 'absent') throw new Error(`there is no API key ${id}; see keys list`)
  if (key.status === 'revoked') throw new Error(`${id} is revoked`)
  print(
    json
      ? JSON.stringify({ id, owner_id: key.ownerId, name: key.name, dry_run: true })
      : `${id} (${key.name}) ${would}`,
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
    if (categoryOf(event.stream) === 'keyuse')
      keys.set(id, { ...key, lastUsedAt: domainEvent<ApiKeyUsed>(event).data.at })
    else keys.set(id, evolveApiKey(key, domainEvent<ApiKeyEvent>(event)))
  }
  return keys
}
