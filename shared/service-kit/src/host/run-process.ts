import { idAttributes } from '@platen/domain/streams/subjects.ts'
import { checkExtraCertificates } from '@platen/foundation/net/certificates.ts'
import { createLogger, type Logger } from '@platen/foundation/runtime/logger.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { SuspensionWatch } from '@platen/foundation/runtime/suspension.ts'
import { ConfigError, type Environment, readConfig } from '@platen/foundation/settings/config.ts'
import { optionalText } from '@platen/foundation/settings/setting.ts'
import { describeUnknown, unknownSettings } from '@platen/foundation/settings/unknown-settings.ts'
import { startTracing } from '@platen/foundation/tracing/start-tracing.ts'
import { collectAtRest } from './collect-at-rest.ts'
import { logLevel } from './common-settings.ts'
import { saveLittleMemory } from './little-memory.ts'
import { shutdownLimitMs } from './shutdown-limit.ts'
import { letYoungGenerationGrow } from './young-generation.ts'

export interface ProcessContext {
  env: Environment
  log: Logger
  /** Everything `start` acquires is deferred here, and released in reverse order when the process ends. */
  resources: AsyncDisposableStack
  /** Aborts on SIGTERM, SIGINT and SIGHUP. */
  stopping: AbortSignal
  /** Ends the process at once with code 1, because what it does would be wrong. */
  fail: (err: Error) => void
  /** Says how long the work in progress may take, in ms, which a shutdown lets finish. Until it is called: no time. */
  setLongestWork: (ms: number) => void
}

/** Settings of every process. */
export const processSettings = {
  logLevel,
  /** Node.js reads this variable when it starts. */
  extraCertificates: optionalText('NODE_EXTRA_CA_CERTS', {
    standard: true,
    meaning: 'path of certificates (PEM) to trust beside the public ones',
  }),
}

const sameKeystrokeMs = 1_500
/** How long an interrupted start may take to release what it has acquired. */
const startGraceMs = 3_000
const maxStarts = 5

/**
 * Runs a service until a signal. Resolves to the code with which the process should exit at once: 1 after a failed
 * start, which prints one line, and after a shutdown that took longer than `shutdownLimitMs`; 130 at a second signal. If
 * the process was suspended during a failed start, the start is repeated, as its requests may have timed out.
 */
export async function runProcess(
  service: string,
  env: Environment,
  start: (context: ProcessContext) => Promise<void>,
): Promise<number> {
  const ended = Promise.withResolvers<number>()
  run(service, { env, start, end: ended.resolve }).then(ended.resolve, ended.reject)
  return ended.promise
}

interface Running {
  env: Environment
  start: (context: ProcessContext) => Promise<void>
  /** Gives the exit code before the shutdown has ended. */
  end: (code: number) => void
}

async function run(service: string, { env, start, end }: Running): Promise<number> {
  const stop = new AbortController()
  let stoppedAt = 0
  const onSignal = (signal: NodeJS.Signals) => {
    // A terminal and npm may both forward the same Ctrl-C.
    if (stop.signal.aborted && performance.now() - stoppedAt > sameKeystrokeMs) end(130)
    if (stop.signal.aborted) return
    stoppedAt = performance.now()
    stop.abort(signal)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal)

  let resources = new AsyncDisposableStack()
  let longestWorkMs = 0
  const setLongestWork = (ms: number) => {
    longestWorkMs = ms
  }
  const startPatiently = async (log: Logger): Promise<void> => {
    const fail = (err: Error) => {
      log.fatal({ err }, 'this process cannot go on, exiting')
      end(1)
    }
    for (let starts = 1; ; starts++) {
      using watch = new SuspensionWatch()
      try {
        return await start({ env, log, resources, stopping: stop.signal, fail, setLongestWork })
      } catch (err) {
        if (stop.signal.aborted || starts === maxStarts || !watch.suspended) throw err
        log.warn({ err }, 'the process was suspended and its start failed, starting again')
      }
      const begun = resources
      resources = new AsyncDisposableStack()
      await begun.disposeAsync()
    }
  }
  try {
    const { logLevel, extraCertificates } = readConfig(env, (settings) => settings.read(processSettings))
    const log = createLogger(service, logLevel)
    const limitMb = saveLittleMemory()
    if (limitMb !== undefined) log.info({ limitMb }, 'little memory: the heaps stay small, and documents take longer')
    // Logged before the start, which may fail because of them, or wait for a backing service.
    for (const unknown of unknownSettings(env)) log.warn(unknown, describeUnknown(unknown))
    if (extraCertificates !== undefined) checkExtraCertificates(extraCertificates)
    const traces = await startTracing(env, service, log, idAttributes)
    const signalled = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()))
    const starting = startPatiently(log).catch((err) => {
      // A start that is interrupted may fail.
      if (!stop.signal.aborted) throw err
    })
    // A start waits for its backing services for as long as that takes.
    await Promise.race([starting, signalled.then(() => sleep(startGraceMs))])
    letYoungGenerationGrow()
    using _collecting = collectAtRest()
    await signalled
    const limitMs = shutdownLimitMs(longestWorkMs)
    log.info({ signal: stop.signal.reason, limitMs }, 'stopping')
    setTimeout(() => {
      log.error({ limitMs }, 'the shutdown takes too long, exiting; work in progress is delivered again')
      end(1)
    }, limitMs).unref()
    await resources.disposeAsync()
    await traces?.[Symbol.asyncDispose]()
    return 0
  } catch (err) {
    process.stderr.write(`${service} cannot run: ${describe(err, env)}\n`)
    await resources.disposeAsync().catch(() => {})
    return 1
  }
}

function describe(err: unknown, env: Environment): string {
  if (err instanceof ConfigError) {
    return [...err.problems, ...unknownSettings(env).map(describeUnknown)].join('\n  ')
  }
  if (!(err instanceof Error)) return String(err)
  const cause = err.cause instanceof Error ? onOneLine(err.cause.message) : ''
  return cause === '' || err.message.includes(cause) ? err.message : `${err.message} (${cause})`
}

/** The message on one line: an answer of a server may be a page of HTML. */
function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 300)
}
