import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { FileResult } from './test-worker.ts'

const cacheOf = (root: string) => join(root, 'node_modules/.cache/test-times.json')

/** The milliseconds that each file took when it last ran here. */
export function readTimes(root: string): ReadonlyMap<string, number> {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(cacheOf(root), 'utf8'))))
  } catch {
    return new Map()
  }
}

export function writeTimes(root: string, results: readonly FileResult[]): void {
  const times = new Map([...readTimes(root), ...results.map(({ file, ms }) => [file, Math.round(ms)] as const)])
  mkdirSync(dirname(cacheOf(root)), { recursive: true })
  writeFileSync(cacheOf(root), JSON.stringify(Object.fromEntries(times)))
}

/** Rooms whose files take longest come first in a clone that has not run them. */
const slowRooms = ['test/', 'services/renderer/', 'cli/', 'deploy/', 'services/gateway/', 'clients/']

/** The longest files first, so that the last ones to end are short. */
export function longestFirst(files: readonly string[], times: ReadonlyMap<string, number>): string[] {
  const room = (file: string) => slowRooms.findIndex((name) => file.startsWith(name)) >>> 0
  const known = (file: string) => times.get(file)
  return files.toSorted((a, b) => {
    const [ofA, ofB] = [known(a), known(b)]
    if (ofA !== undefined && ofB !== undefined) return ofB - ofA
    // A file without a time may be long.
    if (ofA !== ofB) return ofA === undefined ? -1 : 1
    return room(a) - room(b)
  })
}
