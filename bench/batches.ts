import type { Batch } from '@platen/domain/batch/batch.ts'
import type { Generation } from '@platen/domain/generation/generation.ts'
import { startPlaten } from '@platen/test-support/platen.ts'
import { readOptions } from './machine/read-options.ts'
import { median } from './machine/statistics.ts'

const help = `Usage: node bench/batches.ts

Compares a batch of labels with as many asynchronous requests, from the first request until the last PDF. Exits with code 1 if the batch
prints less than 0.9 times as many a second.
`
readOptions(help, {})

/** The median of the rounds. A batch saves the requests, and must not wait for its own window. */
const minRatio = 0.9
const items = 600
const clients = 16
const rounds = 5

await using platen = await startPlaten()
const html = '<style>body { font: 12px sans-serif }</style><h1>{{name}}</h1><p>{{street}}</p>'
await platen.json('/v1/templates', { body: { name: 'Label', html } })
const data = (n: number) => ({ name: `Customer ${n}`, street: `Street ${n}, 12345 Town` })

async function single(): Promise<void> {
  const ids: string[] = []
  let next = 0
  const send = async () => {
    while (next < items) {
      const body = { template: 'label', data: data(next++), async: true }
      ids.push((await platen.json<Generation>('/v1/generate', { body })).body.id)
    }
  }
  await Promise.all(Array.from({ length: clients }, send))
  for (const id of ids) {
    const { body } = await platen.json<Generation>(`/v1/generations/${id}?wait=60`)
    if (body.status !== 'completed') throw new Error(JSON.stringify(body))
  }
}

async function batch(): Promise<void> {
  const body = Buffer.from(Array.from({ length: items }, (_, n) => JSON.stringify({ data: data(n) })).join('\n'))
  const headers = { 'content-type': 'application/x-ndjson' }
  const { id } = (await platen.json<Batch>('/v1/batches?template=label', { body, headers })).body
  // The response ends with the batch.
  await (await platen.request(`/v1/batches/${id}/events`)).text()
  const { body: ended } = await platen.json<Batch>(`/v1/batches/${id}`)
  if (ended.counts.completed !== items) throw new Error(JSON.stringify(ended))
}

async function perSecond(work: () => Promise<void>): Promise<number> {
  const since = performance.now()
  await work()
  return (1_000 * items) / (performance.now() - since)
}

await single()
await batch()
const ratios: number[] = []
for (let round = 1; round <= rounds; round++) {
  const ofRequests = await perSecond(single)
  const ofBatch = await perSecond(batch)
  ratios.push(ofBatch / ofRequests)
  console.log(`round ${round}: requests ${ofRequests.toFixed(1)}/s, batch ${ofBatch.toFixed(1)}/s`)
}
const ratio = median(ratios)
console.log(`batch over requests: ${ratio.toFixed(2)}, at least ${minRatio}`)
if (!(ratio >= minRatio)) process.exitCode = 1
