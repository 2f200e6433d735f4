import engines from '../bench/results/engines.json' with { type: 'json' }
import rendering from '../bench/results/rendering.json' with { type: 'json' }

// The tables of docs/understand/benchmarks.md and benchmark-engines.md, from the files that `npm run bench` and `npm run bench:engines` write.

const shown = (value: number) => (value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0))
const dateOf = ({ startedAt }: { startedAt: string }) => startedAt.slice(0, 10)

export function targetTable(): string {
  const rows = rendering.targets.map(({ name, value, limit, bound, unit, met }) => {
    const [measured, wanted] = [value, limit].map((number) => `${shown(number)}${unit === '' ? '' : ` ${unit}`}`)
    return `| ${name} | ${measured} | ${bound === 'least' ? '≥' : '≤'} ${wanted} | ${met ? 'met' : '**missed**'} |\n`
  })
  return `\nResults of ${dateOf(rendering.machine)}:\n\n| target | measured | limit | |\n|---|---|---|---|\n${rows.join('')}\n`
}

interface Timing {
  p50Ms: number
  p95Ms: number
  perS: number
  atOnce: number
}

export function engineTable(): string {
  const row = (name: string, operation: string, { p50Ms, p95Ms, perS, atOnce }: Timing) =>
    `| ${name} | ${operation} | ${shown(p50Ms)} | ${shown(p95Ms)} | ${shown(perS)} | ${atOnce} |\n`
  const rows = [
    ...engines.eventStores.map(({ name, append, read, catchUpPerS, notifiedP50Ms }) =>
      [
        row(name, 'append one event', append),
        row(name, 'read a stream of 20', read),
        `| ${name} | append to subscriber | ${shown(notifiedP50Ms)} | – | – | 1 |\n`,
        `| ${name} | catch up (events) | – | – | ${shown(catchUpPerS)} | 1 |\n`,
      ].join(''),
    ),
    ...engines.objectStores.map(({ name, put, get, putLarge }) =>
      [row(name, 'put 50 KB', put), row(name, 'get 50 KB', get), row(name, 'put 5 MB', putLarge)].join(''),
    ),
    ...engines.deployments.map(({ name, sync }) => row(name, 'label, HTTP sync', sync)),
  ]
  const header = '| engine | operation | p50 ms | p95 ms | a second | at once |\n|---|---|---|---|---|---|\n'
  return `\nResults of ${dateOf(engines.machine)}:\n\n${header}${rows.join('')}\n`
}
