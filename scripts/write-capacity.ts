import capacity from '../bench/results/capacity.json' with { type: 'json' }
import rendering from '../bench/results/rendering.json' with { type: 'json' }

interface Figure {
  group: string
  what: string
  amount: string
  machine: string
  date: string
  /** The page of docs/ that describes the run, if one does. */
  run?: string
}

const run = 'understand/what-was-run/benchmarks.md'
const contents: Record<string, string> = {
  label: 'labels',
  invoice: 'invoices of one page',
  report: 'reports of ten pages',
  table: 'tables of 100 pages',
  chart: 'pages with a chart (script)',
}

/** Synchronous requests over HTTP, from the run whose results `npm run bench` has written. */
function figuresOfRendering(): Figure[] {
  const { cpu, cores, memoryGb, node, chromium, startedAt } = rendering.machine
  const machine = `${cores} × ${cpu}, ${memoryGb} GB, Node ${node.slice(1)}, ${chromium}`
  const common = { machine, date: startedAt.slice(0, 10), run }
  const ours = rendering.rows.filter(({ strategy }) => strategy === 'f')
  const rates = Object.entries(contents).flatMap(([document, name]) => {
    const printed = ours.filter((row) => row.document === document)
    // A document that was left out of the run may be among the committed figures, with its date.
    if (printed.length === 0) return []
    const best = Math.max(...printed.map(({ rate }) => rate))
    const amount = best / cores < 5 ? (best / cores).toFixed(1) : (best / cores).toFixed(0)
    return [{ group: 'Throughput', what: `${name} a second for each core, synchronous`, amount, ...common }]
  })
  const single = ours.filter(({ document, concurrency }) => document === 'invoice' && concurrency === 1)
  const [one] = single
  const latency = { group: 'Throughput', what: 'one synchronous invoice at a time: median, 95th percentile', ...common }
  const loaded = Math.max(...ours.filter(({ document }) => document === 'invoice').map(({ pssMb }) => pssMb))
  const memory = {
    group: 'Memory',
    what: 'all processes of `npm start` with two slots, while invoices are printed',
    ...common,
  }
  return [
    ...rates,
    ...(one ? [{ ...latency, amount: `${one.p50Ms.toFixed(0)} ms, ${one.p95Ms.toFixed(0)} ms` }] : []),
    { ...memory, amount: `${loaded.toFixed(0)} MB` },
  ]
}

/** The one list of what Platen can do, for docs/reference/capacity.md: each figure with its machine, date and run. */
export function capacityTables(): string {
  const machines: Record<string, string> = capacity.machines
  const noted = capacity.figures.map((figure) => ({ ...figure, machine: machines[figure.machine] ?? figure.machine }))
  const figures: Figure[] = [...figuresOfRendering(), ...noted]
  const names = [...new Set(figures.map(({ machine }) => machine))]
  const letterOf = (machine: string) => String.fromCharCode('A'.charCodeAt(0) + names.indexOf(machine))
  const groups = Object.entries(Object.groupBy(figures, ({ group }) => group))
  const tables = groups.map(([group, rows = []]) => {
    const lines = rows.map(
      ({ what, amount, machine, date, run }) =>
        `| ${what} | ${amount} | ${letterOf(machine)} | ${run === undefined ? date : `[${date}](../${run})`} |\n`,
    )
    return `\n## ${group}\n\n| what | amount | machine | date |\n|---|---|---|---|\n${lines.join('')}`
  })
  const list = names.map((name) => `- ${letterOf(name)}: ${name}\n`).join('')
  return `\n## Machines\n\n${list}${tables.join('')}\n`
}
