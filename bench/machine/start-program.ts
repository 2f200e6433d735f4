import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { killAll, relatedProcesses } from '../../scripts/test-runner/processes.ts'

export interface Program extends AsyncDisposable {
  child: ChildProcess
  pid: number
  /** Resolves with how it ended, or why it could not be started. */
  ended: Promise<string>
}

const leaveMs = 5_000

/**
 * Starts a program of a benchmark, which exits when its standard input, a pipe from this process, is closed. After 5 s it is killed
 * with all processes that it has started. Writing to a program that has exited does nothing.
 */
export function startProgram(file: string, args: readonly string[], options: SpawnOptions): Program {
  const key = randomUUID()
  const env = { ...(options.env ?? process.env), PLATEN_BENCH_PROGRAM: key }
  const child = spawn(file, args, { ...options, env, detached: true })
  const ended = new Promise<string>((resolve) => {
    child.once('error', ({ message }) => resolve(message))
    child.once('exit', (code, signal) => resolve(signal ? `exited by ${signal}` : `exited with code ${code}`))
  })
  for (const stream of child.stdio) stream?.on('error', () => {})
  return {
    child,
    pid: child.pid ?? 0,
    ended,
    async [Symbol.asyncDispose]() {
      child.stdin?.end()
      await Promise.race([ended, delay(leaveMs, undefined, { ref: false })])
      // Its own processes, also those that it left when it crashed.
      killAll(relatedProcesses({ variable: `PLATEN_BENCH_PROGRAM=${key}` }))
      await ended
    },
  }
}
