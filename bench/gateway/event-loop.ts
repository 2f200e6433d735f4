import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { startProbedGateway } from '../../test/support/gateway/probed-gateway.ts'
import { readOptions } from '../machine/read-options.ts'
import { quantile } from '../machine/statistics.ts'
import { textTable } from '../report/text-table.ts'

const help = `Usage: node bench/gateway/event-loop.ts [options]

Measures how long one body holds the event loop of a gateway, in processor time, while no other client is served: hostile bodies of
every route of both ports, at its limit and below. The limit is 50 ms; beyond it, the exit code is 1. Meanwhile /livez is asked.

  --every <n>     measures one body in so many (1)
  --only <text>   only the bodies whose description contains this text
`

const limitMs = 50
const rounds = 4

const { every, only } = readOptions(help, {
  every: { type: 'string', default: '1' },
  only: { type: 'string', default: '' },
})

await using gateway = await startProbedGateway()
const measured: { what: string; status: number; ms: number }[] = []
const asking = new Worker(new URL('livez-worker.ts', import.meta.url), { workerData: { url: `${gateway.url}/livez` } })
const wanted = gateway.bodies.filter(({ what }) => what.includes(only)).filter((_, at) => at % Number(every) === 0)
for (const body of wanted) {
  const what = `${body.what}, ${Math.round(body.bytes / 1024)} KiB`
  measured.push({ what, ...(await gateway.measure(body, rounds, limitMs / 2)) })
  if (measured.length % 100 === 0) process.stderr.write(`bench: ${measured.length} of ${wanted.length} bodies\n`)
}
asking.postMessage('stop')
const [livezMs] = (await once(asking, 'message')) as [number[]]
const worst = measured.toSorted((one, other) => other.ms - one.ms)
const rows = worst.slice(0, 15).map(({ what, status, ms }) => [what, `${status}`, `${ms.toFixed(1)} ms`])
process.stdout.write(`${textTable(['body', 'status', 'event loop held'], rows)}\n`)
const above = worst.filter(({ ms }) => ms > limitMs).length
process.stdout.write(`${measured.length} bodies, limit ${limitMs} ms: ${above} above it\n`)
const livez = [0.5, 0.99, 1].map((share) => `${quantile(livezMs, share).toFixed(0)} ms`)
process.stdout.write(`/livez beside them: p50 ${livez[0]}, p99 ${livez[1]}, at most ${livez[2]}\n`)
if (above > 0) process.exitCode = 1
