import { execFile, spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { type FileHandle, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { makePrivateFile } from '@platen/foundation/runtime/private-file.ts'
import { syncPath } from '@platen/foundation/runtime/sync-path.ts'
import { removeDatabase } from '@platen/service-kit/projections/prepared-view.ts'

const run = promisify(execFile)
const programOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const flushProgram = programOf('flush-process.ts')
const writeBackProgram = programOf('write-back-process.ts')

// To flush a file of some gigabytes takes a disk longer than all else of a start. So the views are used before that. Until it is done there is a
// mark beside them: after a power failure the file may lack pages, which SQLite would not notice.

const markPath = (path: string) => `${path}.unflushed`

/** To be called before the file of the views is put in place. Durable when it resolves. */
export async function markUnflushed(path: string): Promise<void> {
  makePrivateFile(markPath(path))
  await syncPath(dirname(path))
}

/** To be called if there are no views in place that are not flushed. */
export function unmark(path: string): void {
  rmSync(markPath(path), { force: true })
}

/** Removes views that may not be whole. They are not in use. */
export function removeUnflushed(path: string): void {
  if (!existsSync(markPath(path))) return
  removeDatabase(path)
  unmark(path)
}

/** A gateway writes as much back by itself, in a moment. */
const smallLogBytes = 16 * 2 ** 20

/**
 * Makes durable the views in place, closes their file, and writes to it what was changed meanwhile. The mark stays if the flush fails, and if
 * the signal aborts before: then this rejects at once.
 */
export async function flushViews(path: string, file: FileHandle, signal: AbortSignal): Promise<void> {
  try {
    await flush(file, signal)
  } finally {
    await file.close()
  }
  await syncPath(dirname(path))
  signal.throwIfAborted()
  await rm(markPath(path), { force: true })
  await writeBack(path, signal)
}

/** In another process: this one could not end before the disk is done, which may take minutes. */
async function flush(file: FileHandle, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const flushing = spawn(process.execPath, [flushProgram], { stdio: ['ignore', 'ignore', 'pipe', file.fd], env: {} })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onAbort = () => {
    flushing.kill('SIGKILL')
    reject(signal.reason)
  }
  signal.addEventListener('abort', onAbort, { once: true })
  const errors = flushing.stderr ? text(flushing.stderr).catch(() => '') : Promise.resolve('')
  // It cannot be started.
  flushing.once('error', () => resolve(file.sync()))
  flushing.once('close', (code) => {
    if (code === 0) resolve()
    else errors.then((text) => reject(new Error(`the process that flushes the views has failed: ${text.trim()}`)))
  })
  await promise.finally(() => signal.removeEventListener('abort', onAbort))
}

/** Writes from the write-ahead log to the file, in another process: requests do not wait for it. */
async function writeBack(path: string, signal: AbortSignal): Promise<void> {
  const log = await stat(`${path}-wal`).catch(() => undefined)
  if (log === undefined || log.size < smallLogBytes) return
  // The gateway does it if the process fails.
  await run(process.execPath, [writeBackProgram, path], { env: {}, signal, killSignal: 'SIGKILL' }).catch(() => {})
}
