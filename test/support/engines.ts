import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startNatsServer } from './nats-server.ts'
import { launch } from './platen.ts'

/** The backing services of a deployment, as environment variables. */
export interface Engines extends AsyncDisposable {
  settings: Record<string, string>
}

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** SQLite, an object folder, and NATS without authentication. */
export async function startEmbeddedEngines(): Promise<Engines & { folder: string }> {
  await using resources = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'platen-engines-'))
  resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const nats = resources.use(await startNatsServer())
  const running = resources.move()
  return {
    folder,
    settings: {
      NATS_URL: nats.url,
      EVENT_STORE_URL: `sqlite:${folder}/events.db`,
      OBJECT_STORE_URL: `file:${folder}/objects`,
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

export interface GuardedEngines extends Engines {
  /** The environment of the operators' account, for `platen streams setup`. */
  operators: Record<string, string>
  /** Suspends a server with its open connections; undefined for a real one, unless it is of this machine: S3_TEST_PID. */
  freeze: { eventStore: Freeze | undefined; objectStore: Freeze | undefined }
}

/** Disposing the result resumes the server. */
export type Freeze = () => Disposable

/**
 * EventStoreDB, S3, and a NATS where services may use streams but not create them. ESDB_TEST_URL and S3_TEST_URL select
 * real servers instead of the fakes.
 */
export async function startGuardedEngines(): Promise<GuardedEngines> {
  await using resources = new AsyncDisposableStack()
  const passwords = {
    OPERATORS_PASSWORD: 'p-operators',
    NATS_PASSWORD: 'p-services',
    NATS_RENDERER_PASSWORD: 'p-renderer',
    SUBSCRIBER_PASSWORD: 'p-sub',
  }
  const nats = resources.use(await startNatsServer(['-c', path('../../deploy/nats/accounts.conf')], passwords))
  const { ESDB_TEST_URL, S3_TEST_URL, S3_TEST_ACCESS_KEY, S3_TEST_SECRET_KEY, S3_TEST_PID } = process.env
  const store: RunEngine = ESDB_TEST_URL ? { url: ESDB_TEST_URL } : await runFake(resources, 'eventstoredb')
  const realS3: RunEngine = {
    url: S3_TEST_URL,
    accessKey: S3_TEST_ACCESS_KEY,
    secretKey: S3_TEST_SECRET_KEY,
    ...(S3_TEST_PID && { freeze: freezer((signal) => process.kill(Number(S3_TEST_PID), signal)) }),
  }
  const s3 = S3_TEST_URL ? realS3 : await runFake(resources, 's3')
  const running = resources.move()
  const common = { NATS_URL: nats.url }
  return {
    freeze: { eventStore: store.freeze, objectStore: s3.freeze },
    operators: { ...common, NATS_USER: 'operators', NATS_PASSWORD: passwords.OPERATORS_PASSWORD },
    settings: {
      ...common,
      NATS_USER: 'services',
      NATS_PASSWORD: passwords.NATS_PASSWORD,
      NATS_MANAGE_STREAMS: 'false',
      EVENT_STORE_URL: store.url ?? '',
      OBJECT_STORE_URL: s3.url ?? '',
      OBJECT_STORE_ACCESS_KEY: s3.accessKey ?? '',
      OBJECT_STORE_SECRET_KEY: s3.secretKey ?? '',
      // Each test file has another event store. Without a name, a bucket that was used once is another deployment's.
      ...(S3_TEST_URL && { DEPLOYMENT: 'tests' }),
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** Runs the operators' command line. Rejects if it fails. */
export async function runCli(env: Record<string, string>, ...args: string[]): Promise<string> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const options = { env: { PATH, NODE_COMPILE_CACHE, ...env } }
  const { stdout } = await promisify(execFile)(process.execPath, [path('../../cli/src/main.ts'), ...args], options)
  return stdout
}

export interface RunEngine {
  url: string | undefined
  accessKey?: string | undefined
  secretKey?: string | undefined
  freeze?: Freeze
  /** Of the fake of a cluster: where it is told what happens to its nodes. */
  control?: string
  pid?: number | undefined
  /** What it printed, if it has ended. */
  failure?: () => string | undefined
}

function freezer(send: (signal: NodeJS.Signals) => unknown): Freeze {
  return () => {
    send('SIGSTOP')
    return { [Symbol.dispose]: () => void send('SIGCONT') }
  }
}

/** Starts a fake server in a process of its own. It prints its URL and keys as JSON. */
export async function runFake(
  resources: AsyncDisposableStack,
  name: 'eventstoredb' | 'eventstoredb-cluster' | 's3',
): Promise<RunEngine> {
  const running = await launch({ entryPoint: path(`./run-fake-${name}.ts`), settings: {}, readyText: '}\n' })
  resources.defer(() => running.end())
  const freeze = freezer((signal) => running.child.kill(signal))
  const ended = () => running.child.exitCode !== null || running.child.signalCode !== null
  const failure = () =>
    ended() ? `${running.child.exitCode ?? running.child.signalCode}: ${running.output()}` : undefined
  return { ...JSON.parse(running.output()), freeze, pid: running.child.pid, failure }
}
