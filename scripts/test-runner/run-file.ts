import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { killAll, processesWith, type RunningProcess } from './processes.ts'

export interface FileResult {
  file: string
  ok: boolean
  ms: number
  /** The TAP report of the file. */
  report: string
  /** Problems apart from failed assertions: how the process ended, and processes that it left running. */
  problems: Readonly<Record<string, string>>
}

export interface RunOptions {
  env: NodeJS.ProcessEnv
  /** The limit for a file that sets none. */
  timeoutMs: number
  /** Ends the file. */
  signal: AbortSignal
}

/** A file that has ended may still be closing its processes. */
const leaveMs = 2_000
/** How long a file that has reached its limit may take to report which test did not end. */
const reportMs = 3_000
const maxErrorLines = 30

/**
 * Runs a test file. When the file has ended or reached its time limit, its remaining processes are killed and named.
 */
export async function runFile(file: string, { env, timeoutMs, signal }: RunOptions): Promise<FileResult> {
  const startedAt = performance.now()
  // Its processes inherit the key, by which they are found. In a test of the runner, they are also processes of that test.
  const key = [env.TAP_CHILD_KEY, crypto.randomUUID()].filter(Boolean).join('/')
  const ofFile = () => processesWith(`TAP_CHILD_KEY=${key}`)
  const ofTap = { TAP_CHILD_KEY: key, TAP_OMIT_VERSION: '1', TAP_TIMEOUT: String(timeoutMs / 1000) }
  const child = spawn(process.execPath, [file], { env: { ...env, ...ofTap }, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  const [exited, closed] = [once(child, 'exit'), once(child, 'close')]
  const [report, errors] = [collect(child.stdout), collect(child.stderr)]
  child.stderr?.pipe(process.stderr, { end: false })

  const limit = timeLimit(child, timeoutMs)
  const stopped = signal.aborted ? Promise.resolve() : once(signal, 'abort')
  const isLate = await Promise.race([exited.then(() => false), limit.reached, stopped.then(() => false)])
  limit.clear()
  let left: RunningProcess[] = []
  if (isLate) {
    left = ofFile().filter(({ pid }) => pid !== child.pid)
    // tap then reports the test that did not end.
    if (child.connected) child.send({ tapAbort: 'timeout', key })
    await Promise.race([exited, delay(reportMs)])
  } else if (!signal.aborted) {
    left = await remaining(ofFile)
  }
  killAll(ofFile())
  await remaining(ofFile)
  const [exitCode, signalCode] = await exited
  // A process that could not be found may hold the pipe open: the wait is limited.
  await Promise.race([closed, delay(leaveMs)])

  const failed = exitCode !== 0 || isLate
  return {
    file,
    ok: !failed,
    ms: performance.now() - startedAt,
    report: report(),
    problems: {
      ...(isLate && { expired: `it did not end within ${limit.ms() / 1000} s` }),
      ...(left.length > 0 && { 'left running': left.map(({ pid, command }) => `${pid} ${command}`).join('\n') }),
      ...(failed && { ended: signalCode ? `by ${signalCode}` : `with exit code ${exitCode}` }),
      ...(failed && errors() !== '' && { stderr: errors().trimEnd().split('\n').slice(-maxErrorLines).join('\n') }),
    },
  }
}

/** The message of a tap process when a test file sets its own time limit. */
interface Announcement {
  setTimeout?: number
}

function timeLimit(child: ChildProcess, defaultMs: number) {
  const { promise: reached, resolve } = Promise.withResolvers<boolean>()
  let ms = defaultMs
  let timer = setTimeout(resolve, ms, true)
  child.on('message', (message: Announcement) => {
    if (message.setTimeout === undefined) return
    clearTimeout(timer)
    ms = message.setTimeout
    timer = setTimeout(resolve, ms, true)
  })
  return { reached, ms: () => ms, clear: () => clearTimeout(timer) }
}

/** Processes that have not ended by themselves in time. */
async function remaining(processes: () => RunningProcess[]): Promise<RunningProcess[]> {
  const end = performance.now() + leaveMs
  for (;;) {
    const found = processes()
    if (found.length === 0 || performance.now() > end) return found
    await delay(50)
  }
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = ''
  stream?.setEncoding('utf8')
  stream?.on('data', (chunk: string) => {
    text += chunk
  })
  return () => text
}
