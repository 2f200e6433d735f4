import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'

// A view is rebuilt in a file beside the one in use: `<path>.building` while it is built, `<path>.ready` when it has
// the whole history, and `<path>.next` when the process that serves the view has taken it.

export const buildingPath = (path: string) => `${path}.building`
export const readyPath = (path: string) => `${path}.ready`
export const nextPath = (path: string) => `${path}.next`

const logs = ['-wal', '-shm']

/** Removes a database file that no process has open, with its write-ahead log. */
export function removeDatabase(path: string): void {
  for (const suffix of ['', ...logs]) rmSync(`${path}${suffix}`, { force: true })
}

/**
 * Replaces a database file by another one that was closed. No process has either of them open. If it is interrupted, the first one is
 * in place.
 */
export function replaceDatabase(path: string, by: string): void {
  for (const suffix of logs) rmSync(`${path}${suffix}`, { force: true })
  renameSync(by, path)
}

/** To be called before the view is opened: takes a file that was prepared while no process served the view. */
export function takePrepared(path: string): void {
  // Nothing was prepared. Opening the view creates the folder or reports why it cannot.
  if (!existsSync(dirname(path))) return
  removeDatabase(nextPath(path))
  if (existsSync(readyPath(path))) replaceDatabase(path, readyPath(path))
}
