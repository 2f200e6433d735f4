import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { eventCatalogue } from '@platen/domain/catalogue/event-catalogue.ts'
import { defaultRetention, type ObjectRetention } from '@platen/domain/generation/object-retention.ts'
import { buckets } from '@platen/domain/streams/buckets.ts'
import { objectCategories } from '@platen/domain/streams/object-categories.ts'
import { rendererInboxPrefix } from '@platen/domain/streams/renderer-account.ts'
import { RequiredStreams } from '@platen/domain/streams/required-streams.ts'
import { ensureStreams, requireStreams } from '@platen/domain/streams/set-up-streams.ts'
import { claimEventStore } from '@platen/event-store/adapters/claim-event-store.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { withAppendMetrics } from '@platen/event-store/append-metrics.ts'
import { withArchive } from '@platen/event-store/archive/with-archive.ts'
import { type EventStore, StoreMisconfigured } from '@platen/event-store/event-store.ts'
import { withCatalogue } from '@platen/event-store/with-catalogue.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { retryWhileUnavailable } from '@platen/foundation/runtime/retry-while-unavailable.ts'
import { untilAvailable } from '@platen/foundation/runtime/until-available.ts'
import type { SettingsReader } from '@platen/foundation/settings/config.ts'
import { integer, optionalText, requiredText } from '@platen/foundation/settings/setting.ts'
import { ask } from '@platen/messaging/connection/ask.ts'
import { type Bus, openBus } from '@platen/messaging/connection/bus.ts'
import { BucketFull, BusUnavailable, JetStreamSilent } from '@platen/messaging/connection/bus-unavailable.ts'
import { type NatsConfig, natsSettings } from '@platen/messaging/connection/nats-options.ts'
import { NotSetUp } from '@platen/messaging/streams/streams.ts'
import { type ObjectStoreOptions, openObjectStore } from '@platen/object-store/adapters/open-object-store.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { Registry } from 'prom-client'
import { startAnnouncing } from './announcement.ts'
import { type DeploymentConfig, deploymentOf, deploymentSettings, schemasUrl } from './deployment.ts'
import { localPaths } from './disk-reserve.ts'
import { endedInstances } from './ended-instances.ts'
import type { HealthCheck } from './health.ts'
import { checkAfterReconnects, joinDeployment } from './join-deployment.ts'
import { addBackupMetric } from './last-backup.ts'
import { outcomeMetrics } from './outcome-metrics.ts'
import { Presence } from './presence.ts'
import { addServiceMetrics } from './service-metrics.ts'
import { whileAbsent } from './while-absent.ts'
import { requireWritable } from './writable-disk.ts'

/** The backing services that every service uses. */
export interface BackingServices {
  bus: Bus
  /** A service states here what it uses on NATS. */
  streams: RequiredStreams
  store: EventStore
  objects: ObjectStore
  /** How long objects are kept. */
  retention: ObjectRetention
  log: Logger
  /** The services' own metrics, served under `/metrics` by whichever of them has an HTTP server. */
  metrics: Registry
  /** The state of this process for `platen status`. */
  presence: Presence
  /** The identity of the deployment. Waits while the event store is unavailable. */
  deployment: () => Promise<string>
  /**
   * Resolves when NATS and the object store are known to belong to this deployment; at once unless the event store is
   * unavailable. Rejects with OtherDeployment, and if the event store was unavailable for a minute. To be awaited
   * before a service is started.
   */
  joined: Promise<void>
  /** The URL of the schemas of events. */
  schemas: string
  /** Ends the process with code 1, because what it does would be wrong. */
  fail: (err: Error) => void
  /** Identifies this start of a process in leases, claims and events. No other has it, also not after a restart. */
  instance: string
  /** Whether another instance has certainly ended, so that its leases and claims need not expire. */
  hasEnded: (instance: string) => boolean
  /** Folders of the stores on this machine. */
  localPaths: readonly string[]
  /** The folders whose free space is in the metrics. A service adds its own. */
  diskPaths: Set<string>
  /** The folder of an event store that is on this machine. */
  eventFolders: readonly string[]
}

/** Together with the checks of the object store, this ends a start with a wrong setting within 10 s. */
const startCheckMs = 4_000

export interface BackingServicesConfig extends DeploymentConfig {
  nats: NatsConfig
  eventStoreUrl: string
  objectStoreUrl: string
  /** The size of the stream EVENTS in MiB, unless it has a limit. Default: see `limitEvents`. */
  eventsDefaultMb?: number | undefined
  objectStoreOptions?: Omit<ObjectStoreOptions, 'warn' | 'categories'>
  retention?: ObjectRetention
}

export const storeSettings = {
  eventStoreUrl: requiredText('EVENT_STORE_URL', {
    form: {
      pattern: /^(sqlite:.+|(esdb|kurrentdb|kurrent|kdb)(\+discover)?:\/\/.+)/i,
      hint: 'sqlite:<path of the file> or esdb://<user>:<password>@<host>:2113',
      right: ['sqlite:events.db', 'esdb://user:password@host:2113', 'kurrentdb+discover://host:2113?tls=false'],
      wrong: ['postgres://a', 'http://127.0.0.1:2113', 'sqlite:', '"sqlite:/tmp/a"', '/tmp/events.db', 'esdb:a'],
    },
    secret: true,
    meaning: '`sqlite:<file>`, or [EventStoreDB](../operate/eventstoredb.md): `esdb://user:password@host:2113`',
    setFirst: '`sqlite:DATA_DIR/events.db`',
  }),
  objectStoreUrl: requiredText('OBJECT_STORE_URL', {
    form: {
      pattern: /^(file|s3):.+/,
      hint: 'file:<path of the folder> or s3://host:port/bucket',
      right: ['file:/tmp/objects', 's3://host:9000/bucket?region=us-east-1&tls=true'],
      wrong: ['/tmp/objects', 'https://a/b', 'S3://a/b', '"file:/tmp/a"', 'file:'],
    },
    // The URL may contain keys.
    secret: true,
    meaning: '`file:<folder>`, which all share, or S3 or MinIO: `s3://host:port/bucket?region=us-east-1&tls=true`',
    setFirst: '`file:DATA_DIR/objects`',
  }),
}
export const objectStoreSettings = {
  accessKey: optionalText('OBJECT_STORE_ACCESS_KEY', {
    meaning: 'the access key for `s3://`. The bucket is created if the key may do that',
  }),
  secretKey: optionalText('OBJECT_STORE_SECRET_KEY', { secret: true, meaning: 'the secret key for `s3://`' }),
  sessionToken: optionalText('AWS_SESSION_TOKEN', {
    secret: true,
    standard: true,
    meaning: 'the token of temporary keys, by the name that the clients of S3 have for it',
  }),
  publicUrl: optionalText('OBJECT_STORE_PUBLIC_URL', {
    form: {
      pattern: { test: (url) => /^https?:\/\/[^/?#@\s]+\/?$/.test(url) && URL.canParse(url) },
      hint: 'https://host[:port], without a path',
      right: ['https://files.example.com', 'http://127.0.0.1:9000/'],
      wrong: ['files.example.com', 'ftp://a', 'https://a/prefix', 'https://a:99999', '"https://a"', 'https://u:p@a'],
    },
    meaning: 'the URL of the object store for clients. A GET of a file then redirects to a presigned URL there',
  }),
}

export const retentionSettings = {
  inputDays: integer('INPUT_RETENTION_DAYS', {
    default: defaultRetention.inputDays,
    min: 1,
    max: 3_650,
    meaning: 'how long the inputs of large requests are kept, see [Retention](../operate/what-grows.md#retention)',
  }),
  pdfDays: integer('PDF_RETENTION_DAYS', {
    default: defaultRetention.pdfDays,
    min: 0,
    max: 36_500,
    shownDefault: '`0`: forever',
    meaning: 'how long PDF files are kept; then their URLs answer 410 `FILE_DELETED`. The same for all services',
  }),
}

export function readBackingServicesConfig(settings: SettingsReader): BackingServicesConfig {
  return {
    nats: readNatsConfig(settings),
    ...settings.read(storeSettings),
    ...settings.read(deploymentSettings),
    objectStoreOptions: settings.read(objectStoreSettings),
    retention: settings.read(retentionSettings),
  }
}

export function readNatsConfig(settings: SettingsReader): NatsConfig {
  const { password, ...config } = settings.read(natsSettings)
  const { user, certFile, keyFile } = config
  if (keyFile !== undefined && certFile === undefined)
    settings.refuse(natsSettings.certFile, 'must be set: NATS_KEY is set')
  if (certFile !== undefined && keyFile === undefined)
    settings.refuse(natsSettings.keyFile, 'must be set: NATS_CERT is set')
  return { ...config, ...(user === undefined ? { token: password } : { password }) }
}

export interface OpenOptions {
  /** Part of the name of the NATS connection and of `instance`. */
  service: string
  log: Logger
  /** Closes the backing services. */
  resources: AsyncDisposableStack
  /** Ends the process, because what it does would be wrong. */
  fail: (err: Error) => void
  /** The process runs the nats-server itself, in a folder that it has locked. Default: false. */
  ownsNats?: boolean
  /** How long each server is waited for. Default: see `whileAbsent`. */
  patienceMs?: number
}

export async function openBackingServices(
  config: BackingServicesConfig,
  { service, log, resources, fail, ownsNats = false, patienceMs }: OpenOptions,
): Promise<BackingServices> {
  claimEventStore(config.eventStoreUrl, eventCatalogue)
  const inboxPrefix = service === 'renderer' ? rendererInboxPrefix : undefined
  const connect = () => openBus({ ...config.nats, inboxPrefix }, `platen ${service}`, log)
  const waitingForNats = { name: 'NATS', log, patienceMs, isAwaited: (err: unknown) => err instanceof JetStreamSilent }
  const bus = resources.use(await whileAbsent(connect, waitingForNats))
  void bus.lost.then((cause) => fail(new Error('the connection to NATS was closed and does not reconnect', { cause })))
  const metrics = new Registry()
  const archive = Promise.withResolvers<ObjectStore>()
  const whole = withArchive(await openEventStore(config.eventStoreUrl), { objects: () => archive.promise })
  const opened = resources.adopt(whole, (store) => store.close())
  const isAvailable = await checkAtStart(opened)
  const store = withCatalogue(withAppendMetrics(opened, metrics, outcomeMetrics(metrics)), {
    catalogue: eventCatalogue,
    log,
    metrics,
  })
  const { retention = defaultRetention } = config
  const categories = objectCategories
  const objectStoreOptions = { ...config.objectStoreOptions, categories, warn: (message: string) => log.warn(message) }
  const openObjects = () => openObjectStore(config.objectStoreUrl, objectStoreOptions)
  const awaited = { name: 'object store', log, patienceMs }
  const objects = resources.adopt(await whileAbsent(openObjects, awaited), (objects) => objects.close())
  archive.resolve(objects)
  const closing = new AbortController()
  resources.defer(() => closing.abort())
  const waiting = { log, stopping: closing.signal }
  const deployment = () => retryWhileUnavailable(() => deploymentOf(store, config), waiting)
  const end = () => retryWhileUnavailable(() => store.end(), waiting)
  const join = async () => joinDeployment({ bus, store: { end }, objects, deployment: await deployment(), log })
  const awaiting = { log, patienceMs, signal: closing.signal }
  // A cluster that has lost its quorum, or a server with a slow disk, may have answered before.
  const whenAnswered = <Result>(use: () => Promise<Result>) =>
    whileAbsent(use, { name: 'NATS', ...awaiting, isAwaited: isSilence })
  // A renderer has no right to create them: the others may do it meanwhile.
  const mayBeCreated = (err: unknown) => isSilence(err) || (service === 'renderer' && err instanceof NotSetUp)
  if (!bus.managesStreams)
    await whileAbsent(() => requireStreams(bus.jsm), { name: 'NATS', ...awaiting, isAwaited: mayBeCreated })
  const untilStored = () =>
    whileAbsent(() => checkStore(opened), { name: 'event store', ...awaiting, isAwaited: isOutage })
  const joined = isAvailable ? whenAnswered(join) : untilStored().then(() => whenAnswered(join))
  // Awaiting callers still see the rejection. Until one awaits, it must not be an unhandled one.
  joined.catch(() => {})
  // The NATS of another deployment must not be changed.
  if (isAvailable) await joined
  if (bus.managesStreams) await whenAnswered(() => ensureStreams(bus.jsm, config.eventsDefaultMb))
  await whenAnswered(() => ask(bus, () => bus.clock.ask()))
  const streams = resources.use(new RequiredStreams(bus, log))
  const files = localPaths([config.eventStoreUrl, config.objectStoreUrl])
  const diskPaths = new Set(files)
  addServiceMetrics({ bus, registry: metrics, paths: diskPaths })
  addBackupMetric(metrics, objects, log)
  void checkAfterReconnects(bus, async () => {
    const { signal } = closing
    await untilAvailable(() => joined.then(() => join()), { log, name: 'NATS', signal }).catch((err) => {
      if (!signal.aborted) fail(err)
    })
  })
  const identity = { deployment, joined, schemas: schemasUrl(config) }
  // The random part distinguishes processes in containers with one host name, and a process from its predecessor.
  const instance = `${service}@${hostname()}:${process.pid}-${randomBytes(8).toString('hex')}`
  const hasEnded = ownsNats ? await endedInstances(bus, instance, log) : () => false
  const presence = new Presence()
  // Nothing may be written to the NATS of another deployment.
  const begin = joined.then(() => streams.require({ buckets: [buckets.processes] }))
  resources.use(startAnnouncing({ bus, presence, metrics, diskPaths, program: service, instance, begin, log }))
  const common = { ...identity, presence, bus, streams, store, objects, retention, log, metrics, instance, hasEnded }
  return { ...common, fail, localPaths: files, diskPaths, eventFolders: localPaths([config.eventStoreUrl]) }
}

/** Whether the event store is there. A wrong setting ends the start. */
async function checkAtStart(store: EventStore): Promise<boolean> {
  try {
    await checkStore(store)
    return true
  } catch (err) {
    if (isOutage(err)) return false
    throw err
  }
}

const checkStore = (store: EventStore) => store.check({ timeoutMs: startCheckMs })

/** NATS does not answer. What it refuses, waiting does not change. */
const isSilence = (err: unknown) => err instanceof BusUnavailable && !(err instanceof BucketFull)

const isOutage = (err: unknown) => err instanceof DependencyUnavailable && !(err instanceof StoreMisconfigured)

export function backingServiceChecks({ bus, streams, store, objects, eventFolders }: BackingServices): HealthCheck[] {
  return [
    { name: 'nats', check: () => bus.check() },
    { name: 'streams', check: () => streams.check() },
    {
      name: 'event_store',
      async check() {
        await requireWritable(eventFolders)
        await store.check()
      },
    },
    { name: 'object_store', check: () => objects.check() },
  ]
}
