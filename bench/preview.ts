import { readFile } from 'node:fs/promises'
import { startPlaten } from '@platen/test-support/platen.ts'
import { readOptions } from './machine/read-options.ts'
import { median } from './machine/statistics.ts'

const help = `Usage: node bench/preview.ts

Compares a preview with a synchronous request for the same document. Exits with code 1 if it takes more than 1.2 times as long.
`
readOptions(help, {})

/** Medians: the preview waits for the same print, and stores and records nothing. */
const maxRatio = 1.2
const warmUps = 30
const rounds = 150

const example = (file: string) => readFile(new URL(`../examples/invoice/${file}`, import.meta.url), 'utf8')
await using platen = await startPlaten()
const body = { html: await example('template.html'), data: JSON.parse(await example('data.json')) }

/** Duration in ms until the whole PDF has arrived. */
async function timed(path: string): Promise<number> {
  const since = performance.now()
  const response = await platen.request(path, { body, headers: { accept: 'application/pdf' } })
  await response.bytes()
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
  return performance.now() - since
}

const times = { '/v1/preview': [] as number[], '/v1/generate': [] as number[] }
for (let round = -warmUps; round < rounds; round++) {
  for (const [path, measured] of Object.entries(times)) {
    const ms = await timed(path)
    if (round >= 0) measured.push(ms)
  }
}
const preview = median(times['/v1/preview'])
const generate = median(times['/v1/generate'])
const ratio = preview / generate
const shown = [preview, generate].map((ms) => `${ms.toFixed(1)} ms`)
console.log(`preview ${shown[0]}, synchronous request ${shown[1]}: ${ratio.toFixed(2)} times, at most ${maxRatio}`)
if (!(ratio <= maxRatio)) process.exitCode = 1
