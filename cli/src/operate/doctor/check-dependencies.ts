import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { requireStreams } from '@platen/domain/streams/set-up-streams.ts'
import { objectKeys } from '@platen/domain/streams/subjects.ts'
import { readEventStoreDbUrl } from '@platen/event-store/adapters/eventstoredb/url.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import { readConfig } from '@platen/foundation/settings/config.ts'
import { type CommandContext, readDataDir } from '../../frame/command.ts'
import { readEventStoreUrl, sqlitePathOf } from '../../frame/open-services.ts'
import { identitiesOf } from '../deployment/deployment.ts'
import type { Check } from './finding.ts'

const mostClockDifferenceMs = 2_000
const leastNatsVersion = [2, 14] as const

export const dependencyChecks: Check[] = [
  {
    name: 'event file',
    remedy: 'restore a backup (restore <folder>); the disk may be damaged',
    async check({ env }) {
      const path = sqlitePathOf(readConfig(env, readEventStoreUrl))
      if (path === undefined) return { found: 'not a file' }
      if (!existsSync(path)) {
        const remedy =
          'set DATA_DIR or EVENT_STORE_URL to that of your Platen, or start it: the first start creates the file'
        return { state: 'wrong', found: `there is no file ${path}`, remedy }
      }
      const database = new DatabaseSync(path, { readOnly: true })
      try {
        const row = database.prepare('PRAGMA quick_check(1)').get()
        if (row?.quick_check !== 'ok') throw new Error(`${path} is damaged: ${row?.quick_check}`)
        const { n } = database.prepare('SELECT count(*) AS n FROM events').get() ?? {}
        return { found: `${n} events, not damaged` }
      } finally {
        database.close()
      }
    },
  },
  {
    name: 'event store',
    needs: ['event file'],
    remedy: 'see that EVENT_STORE_URL or DATA_DIR is right, that the server runs, and that its user may read $all',
    async check({ openStore, env }) {
      try {
        const store = await openStore()
        const end = await store.end()
        // Reads as the services do.
        for await (const _ of store.readLog({ after: 'start', categories: ['apikey'] })) break
        return { found: `${kindOf(env)}, ${end === 'start' ? 'no events yet' : 'readable'}` }
      } catch (err) {
        const address = addressOf(env)
        const { message } = err as Error
        if (address === undefined || message.includes(address)) throw err
        throw new Error(`${kindOf(env)} at ${address}: ${message}`, { cause: err })
      }
    },
  },
  {
    name: 'object store',
    remedy: 'see that OBJECT_STORE_URL is right, and that its keys may write, list and delete',
    async check({ openObjects }) {
      const objects = await openObjects()
      await objects.check()
      for await (const _ of objects.list('pdfs')) break
      return { found: 'can be written and listed' }
    },
  },
  {
    name: 'assets',
    needs: ['event store', 'object store'],
    remedy: 'restore the object store, or upload the files again: documents that use them are printed without',
    async check({ openStore, openObjects, signal }) {
      const named = new Map<string, string>()
      for await (const { stream, type, data } of (await openStore()).readLog({
        after: 'start',
        categories: ['asset'],
        signal,
      })) {
        if (type !== 'AssetStored') continue
        const { name, sha256, object } = (data ?? {}) as { name?: string; sha256?: string; object?: string }
        if (sha256 && object) named.set(objectKeys.asset(aggregateIdOf(stream), sha256, object), `${name}`)
      }
      if (named.size === 0) return { found: 'none' }
      const objects = await openObjects()
      const lost: string[] = []
      for (const [key, name] of named) if (!(await objects.info(key))) lost.push(`${name} (${key})`)
      if (lost.length > 0)
        throw new Error(`${lost.length} of ${named.size} are missing: ${lost.slice(0, 5).join(', ')}`)
      return { found: `${named.size} contents, all stored` }
    },
  },
  {
    name: 'nats',
    remedy: 'see that NATS_URL and its login are right, and that the server runs with JetStream (or run npm start)',
    async check({ openBus }) {
      const { nats, jsm } = await openBus()
      const version = nats.info?.version ?? 'unknown'
      await jsm.getAccountInfo()
      const [major = 0, minor = 0] = version.split('.').map(Number)
      const isOld = major < leastNatsVersion[0] || (major === leastNatsVersion[0] && minor < leastNatsVersion[1])
      if (!isOld) return { found: `nats-server ${version}, JetStream is on` }
      const remedy = 'use 2.14 or newer: older ones can lose accepted messages when they are killed'
      return { state: 'note', found: `nats-server ${version}`, remedy }
    },
  },
  {
    name: 'streams',
    needs: ['nats'],
    remedy: 'run streams setup',
    async check({ openBus }) {
      await requireStreams((await openBus()).jsm)
      return { found: 'all streams, consumers and buckets exist' }
    },
  },
  {
    name: 'deployment',
    needs: ['event store', 'object store', 'nats'],
    remedy:
      'see that NATS_URL, OBJECT_STORE_URL, EVENT_STORE_URL and DEPLOYMENT are right; if they are, run deployment claim after ' +
      'the event store was replaced or DEPLOYMENT was changed',
    async check(context) {
      const { deployment, nats, objects } = await identitiesOf(context)
      const owners = { NATS: nats, 'the object store': objects }
      const others = Object.entries(owners).filter(([, owner]) => owner !== undefined && owner !== deployment)
      if (others.length > 0)
        throw new Error(`this is ${deployment}, but ${others.map(([what, owner]) => `${what} belongs to ${owner}`)}`)
      return { found: nats === undefined ? `${deployment}, not recorded in NATS yet` : deployment }
    },
  },
  {
    name: 'clock',
    needs: ['nats', 'streams'],
    remedy: 'synchronise the clocks of all machines (NTP)',
    async check({ openBus }) {
      const { jsm } = await openBus()
      const before = Date.now()
      const { ts } = (await jsm.streams.info('COMMANDS')) as unknown as { ts?: string }
      if (ts === undefined) return { found: 'NATS does not tell its time' }
      const difference = Math.round(Date.parse(ts) - (before + Date.now()) / 2)
      if (Math.abs(difference) > mostClockDifferenceMs) throw new Error(`${difference} ms from the clock of NATS`)
      return { found: `${Math.abs(difference)} ms from the clock of NATS` }
    },
  },
  {
    name: 'signing secret',
    needs: ['data folder'],
    remedy: 'restore it from a backup, or set SIGNING_SECRET: without it all file URLs and webhook secrets change',
    async check({ env }) {
      if (env.SIGNING_SECRET) return { found: 'SIGNING_SECRET' }
      const path = join(readConfig(env, readDataDir), 'signing-secret')
      if (existsSync(path)) return { found: path }
      throw new Error(`neither SIGNING_SECRET nor ${path}`)
    },
  },
]

/** The address of the server, without its login. */
function addressOf(env: CommandContext['env']): string | undefined {
  const url = readConfig(env, readEventStoreUrl)
  if (sqlitePathOf(url) !== undefined) return undefined
  return readEventStoreDbUrl(url)
    .nodes.map(({ host, port }) => `${host}:${port}`)
    .join(',')
}

const kindOf = (env: CommandContext['env']) =>
  sqlitePathOf(readConfig(env, readEventStoreUrl)) === undefined ? 'EventStoreDB' : 'SQLite'
