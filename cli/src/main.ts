import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { EventStore } from '@platen/shared/event-store/event-store.ts'
import { openEventStore } from '@platen/shared/event-store/open-event-store.ts'
import { readNatsConfig } from '@platen/shared/host/backing-services.ts'
import { embeddedNatsUrl, readEmbeddedNats, servicesUser } from '@platen/shared/host/embedded-nats.ts'
import { openBus } from '@platen/shared/messaging/connection/bus.ts'
import type { NatsConfig } from '@platen/shared/messaging/connection/nats-options.ts'
import { readConfig, type SettingsReader } from '@platen/shared/runtime/config.ts'
import { createLogger } from '@platen/shared/runtime/logger.ts'
import { type Command, readDataDir, UsageError } from './command.ts'
import { listDeliveries, redeliverDeliveries, showDelivery } from './deliveries.ts'
import { events, stream } from './events.ts'
import { issueKey, listKeys, revokeKey, rotateKey } from './keys.ts'
import { natsUrl } from './nats-url.ts'
import {
  createOwnerCommand,
  disableOwner,
  enableOwner,
  listOwners,
  renameOwner,
  rotateWebhookSecret,
} from './owners.ts'
import { replayEvents } from './replay.ts'
import { setUp } from './streams.ts'

const commands: Record<string, Command> = {
  'keys issue': issueKey,
  'keys list': listKeys,
  'keys rotate': rotateKey,
  'keys revoke': revokeKey,
  'owners create': createOwnerCommand,
  'owners list': listOwners,
  'owners rename': renameOwner,
  'owners disable': disableOwner,
  'owners enable': enableOwner,
  'owners rotate-webhook-secret': rotateWebhookSecret,
  stream,
  events,
  'events replay': replayEvents,
  'deliveries list': listDeliveries,
  'deliveries show': showDelivery,
  'deliveries redeliver': redeliverDeliveries,
  'streams setup': setUp,
  'nats-url': natsUrl,
}

const usage = `Command line for operators. Commands use the event store directly (\`streams setup\`, \`events replay\`: NATS, \`nats-url\`: DATA_DIR), whether
Platen is running or not.

usage: npm run --silent platen -- <command> [options]

${Object.entries(commands)
  .map(([name, { synopsis, summary }]) => `  ${`${name} ${synopsis}`.padEnd(52)} ${summary}`)
  .join('\n')}

environment:
  EVENT_STORE_URL   default sqlite:<DATA_DIR>/events.db
  DATA_DIR          default ./data
  NATS_URL          for \`streams setup\` and \`events replay\` (default: that of \`npm start\`), with NATS_USER, NATS_PASSWORD,
                    NATS_TOKEN, NATS_CREDS, NATS_CA, NATS_CERT and NATS_KEY
`

const log = createLogger('platen', 'silent')
const close = (store: EventStore) => store.close()

function findCommand(args: string[]): { command: Command; rest: string[] } | undefined {
  for (const words of [2, 1]) {
    const command = commands[args.slice(0, words).join(' ')]
    if (command) return { command, rest: args.slice(words) }
  }
  return undefined
}

async function run(args: string[]): Promise<number> {
  if (args.length === 0 || args.includes('--help') || args[0] === 'help') {
    process.stdout.write(usage)
    return args.length === 0 ? 2 : 0
  }
  const found = findCommand(args)
  if (!found) throw new UsageError(`unknown command "${args.slice(0, 2).join(' ')}"`)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  // Closing the pipe early (`| head`) is not an error.
  process.stdout.on('error', () => process.exit(0))
  await using resources = new AsyncDisposableStack()
  await found.command.run({
    openStore: async ({ create = false } = {}) => {
      const url = readConfig(process.env, readEventStoreUrl)
      if (!create) requireEventStore(url)
      return resources.adopt(await openEventStore(url), close)
    },
    openBus: async () => resources.use(await openBus(await readNats(), 'platen cli', log)),
    env: process.env,
    args: found.rest,
    print: (line) => console.log(line),
    signal: stop.signal,
  })
  return 0
}

/** Opening a SQLite file creates it, also where DATA_DIR is wrong. */
function requireEventStore(url: string): void {
  const path = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : undefined
  if (path === undefined || existsSync(path)) return
  throw new Error(
    `there is no event store at ${resolve(path)}; set DATA_DIR or EVENT_STORE_URL to that of your Platen; a new one is created by keys issue --create`,
  )
}

/** Without NATS_URL, the server that `npm start` runs. */
async function readNats(): Promise<NatsConfig> {
  const dataDir = readConfig(process.env, readDataDir)
  const embedded = process.env.NATS_URL === undefined ? await readEmbeddedNats(dataDir) : undefined
  if (embedded === undefined) return readConfig(process.env, readNatsConfig)
  return { url: embeddedNatsUrl(embedded.port), user: servicesUser, password: embedded.passwords.services }
}

function readEventStoreUrl(settings: SettingsReader): string {
  return settings.text('EVENT_STORE_URL', { default: `sqlite:${join(readDataDir(settings), 'events.db')}` })
}

process.exitCode = await run(process.argv.slice(2)).catch((err) => {
  if (!(err instanceof Error)) throw err
  process.stderr.write(`platen: ${err.message}${err instanceof UsageError ? '; see --help' : ''}\n`)
  return err instanceof UsageError ? 2 : 1
})
