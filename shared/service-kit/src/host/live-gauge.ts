import { Gauge, type Registry } from 'prom-client'

export interface LiveGauge {
  name: string
  help: string
  /** The value, at each request for metrics. */
  read: () => number
}

/** Shows a value until it is disposed of. It replaces that of an earlier start in this process. */
export function addLiveGauge(registry: Registry, { name, help, read }: LiveGauge): Disposable {
  registry.removeSingleMetric(name)
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read())
    },
  })
  return { [Symbol.dispose]: () => registry.removeSingleMetric(name) }
}
