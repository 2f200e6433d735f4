import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const program = fileURLToPath(new URL('copy-views-process.ts', import.meta.url))

/**
 * Copies the state of a file of views at one moment to a new file, without pages that were freed. In a process of its own, with the lowest
 * priority: requests are answered and events are applied meanwhile, and it is killed when the signal aborts.
 */
export async function copyViews(from: string, to: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await run(process.execPath, [program, from, to], { signal, killSignal: 'SIGKILL', env: {} })
}
