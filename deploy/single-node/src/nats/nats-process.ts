import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'

const setpriv = '/usr/bin/setpriv'
const killAfterMs = 5_000
const noOutput = 'it printed nothing; is NATS_SERVER_PATH right?'
const lookEveryMs = 250
const reportEveryMs = 10_000
/** An idle process stays below this between two checks: clock ticks of 10 ms, and bytes read. */
const minTicks = 2
const minBytesRead = 64 * 1024

export interface LaunchOptions {
  program: string
  /** Path of the configuration. */
  config: string
  log: Logger
  /** The start fails if the server makes no progress for this time. */
  stalledAfterMs: number
}

/** A nats-server that is ready. */
export interface NatsProcess {
  readonly pid: number
  /** Resolves with the exit code or signal. */
  readonly exited: Promise<string>
  /** Sends SIGTERM, and SIGKILL if the process does not exit within 5 s. */
  stop(): Promise<void>
}

/**
 * Resolves when the server is ready. Recovering a large store may take minutes: the start fails only when the server
 * neither logs nor works for a while, or exits.
 */
export async function launchNats(options: LaunchOptions): Promise<NatsProcess> {
  const { program, config, log } = options
  // Its own process group, so that Ctrl-C does not stop it before the services. setpriv makes the kernel kill it when
  // this process is killed.
  const guarded = existsSync(setpriv)
  const command = guarded ? [setpriv, '--pdeathsig', 'KILL', program] : [program]
  const [file = program, ...args] = [...command, '-c', config]
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'], detached: guarded })
  const output = readOutput(child, log)
  const failed = new Promise<never>((_, reject) => {
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`nats-server (${program}) exited: ${output.last() || noOutput}`)))
  })
  const started = new AbortController()
  const stalled = untilStalled(child, output.lines, { ...options, signal: started.signal }).then((waitedMs) => {
    if (waitedMs !== undefined) throw new Error(`nats-server made no progress for ${waitedMs} ms and was not ready`)
  })
  try {
    await Promise.race([output.ready, failed, stalled.then(() => output.ready)])
  } catch (err) {
    child.kill('SIGKILL')
    throw err
  } finally {
    started.abort()
  }
  return {
    pid: child.pid ?? 0,
    exited: exited(child),
    async stop() {
      const stopped = new AbortController()
      child.kill('SIGTERM')
      const patience = sleep(killAfterMs, stopped.signal).then(() => {
        if (stopped.signal.aborted) return
        log.warn('nats-server did not stop within 5 s, killing it')
        child.kill('SIGKILL')
      })
      await exited(child)
      stopped.abort()
      await patience
    },
  }
}

/** Logs the server's output, and recognizes the line that says that it is ready. */
function readOutput(child: ChildProcess, log: Logger) {
  const { promise: ready, resolve } = Promise.withResolvers<void>()
  let lines = 0
  let last: string[] = []
  if (child.stderr) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      log.debug({ line }, 'nats-server')
      lines++
      last = [...last, line.replace(/^\[\d+\] \S+ \S+ /, '')].slice(-2)
      if (line.includes('Server is ready')) resolve()
    })
  }
  return { ready, lines: () => lines, last: () => last.join(' ') }
}

interface StallOptions {
  log: Logger
  stalledAfterMs: number
  signal: AbortSignal
}

/** Resolves with the time without progress, or with undefined when the signal aborts. */
async function untilStalled(
  { pid }: ChildProcess,
  linesRead: () => number,
  { log, stalledAfterMs, signal }: StallOptions,
): Promise<number | undefined> {
  const startedAt = performance.now()
  let [idleMs, reportedAt] = [0, startedAt]
  let before = { lines: 0, ticks: 0, bytesRead: 0 }
  while (!signal.aborted) {
    await sleep(lookEveryMs, signal)
    const now = { lines: linesRead(), ticks: await ticksOf(pid), bytesRead: await bytesReadBy(pid) }
    const works =
      now.lines > before.lines ||
      now.ticks - before.ticks >= minTicks ||
      now.bytesRead - before.bytesRead >= minBytesRead
    idleMs = works ? 0 : idleMs + lookEveryMs
    before = now
    if (idleMs >= stalledAfterMs && !signal.aborted) return idleMs
    if (performance.now() - reportedAt < reportEveryMs) continue
    reportedAt = performance.now()
    const seconds = Math.round((reportedAt - startedAt) / 1_000)
    log.warn({ seconds }, 'nats-server is still recovering its store, waiting')
  }
  return undefined
}

/** The processor time of a process, in clock ticks; 0 if it is unknown. */
async function ticksOf(pid = 0): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // proc(5): the name in parentheses may contain spaces. utime and stime are the fields 14 and 15.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
}

/** The bytes that a process has read from files; 0 if they are unknown. */
async function bytesReadBy(pid = 0): Promise<number> {
  const text = await readFile(`/proc/${pid}/io`, 'utf8').catch(() => '')
  return Number(/rchar: (\d+)/.exec(text)?.[1] ?? 0)
}

async function exited(child: ChildProcess): Promise<string> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.signalCode ?? `code ${child.exitCode}`
}
