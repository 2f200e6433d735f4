import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPlaten } from '@platen/test-support/platen.ts'
import { readOptions } from './machine/read-options.ts'
import { median } from './machine/statistics.ts'

const help = `Usage: node bench/start.ts

Measures the time from the start of the process to "Platen is ready", which is when documents are printed. Exits with code 1 over
5 s. npm start itself takes about half a second more, for npm and the look for packages.
`
readOptions(help, {})

const limitMs = 5_000
const rounds = 5

/** Durations in ms of the first start in a new folder, and of the second one. */
async function startTwice(cache: string): Promise<[first: number, second: number]> {
  // An empty value is none, also if this process has one.
  process.env.NODE_COMPILE_CACHE = cache
  let since = performance.now()
  await using platen = await startPlaten({ LOG_LEVEL: 'error' })
  const first = performance.now() - since
  await platen.stop()
  since = performance.now()
  await platen.start()
  return [first, performance.now() - since]
}

const cache = await mkdtemp(join(tmpdir(), 'platen-compile-cache-'))
const times: Record<string, number[]> = {}
const measure = async (name: string, folder: string) => {
  const [first, second] = await startTwice(folder)
  for (const [data, ms] of Object.entries({ 'new data folder': first, 'existing data folder': second })) {
    const row = `${name}, ${data}`
    times[row] = [...(times[row] ?? []), ms]
  }
}
try {
  await startTwice(cache)
  for (let round = 0; round < rounds; round++) {
    await measure('without compile cache', '')
    await measure('with compile cache', cache)
  }
} finally {
  await rm(cache, { recursive: true, force: true })
}
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
for (const [row, measured] of Object.entries(times)) {
  const worst = Math.max(...measured)
  console.log(`${row}: ready after ${seconds(median(measured))}, at worst ${seconds(worst)}; limit ${seconds(limitMs)}`)
  if (!(worst <= limitMs)) process.exitCode = 1
}
