import { Gauge, type Registry } from 'prom-client'

export interface LiveGauge {
  name: string
  help: string
  /** The value, at each request for metrics; with `label` the values by those of the label. */
  read: () => number | Readonly<Record<string, number>>
  label?: string
}

/** Shows a value until it is disposed of. It replaces that of an earlier start in this process. */
export function addLiveGauge(registry: Registry, { name, help, read, label }: LiveGauge): Disposable {
  registry.removeSingleMetric(name)
  new Gauge({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    collect() {
      const found = read()
      if (typeof found === 'number') return this.set(found)
      for (const [value, count] of Object.entries(found)) this.set({ [label ?? '']: value }, count)
    },
  })
  return { [Symbol.dispose]: () => registry.removeSingleMetric(name) }
}
