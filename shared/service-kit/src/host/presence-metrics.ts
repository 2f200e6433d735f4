import { Gauge, type Registry } from 'prom-client'
import manifest from '../../../../package.json' with { type: 'json' }
import { type HealthCheck, reportHealth } from './health.ts'
import type { Presence } from './presence.ts'

const buildInfo = 'platen_build_info'
const ready = 'platen_ready'

/** Where a process shows what runs in it. */
export interface Shown {
  metrics: Registry
  presence: Presence
}

/** Shows that a service runs in this process, which may run several, until it is disposed of. An alert sees that it is absent. */
export function announceService({ metrics: registry, presence }: Shown, service: string): Disposable {
  const found = registry.getSingleMetric(buildInfo) as Gauge | undefined
  const gauge =
    found ??
    new Gauge({
      name: buildInfo,
      help: '1 for each service that runs in this process, with the version of Platen and of Node',
      labelNames: ['service', 'version', 'node'],
      registers: [registry],
    })
  const labels = { service, version: manifest.version, node: process.versions.node }
  gauge.set(labels, 1)
  presence.started(service)
  return {
    [Symbol.dispose]() {
      gauge.remove(labels)
      presence.stopped(service)
    },
  }
}

/** Shows the checks of `/readyz`, made at each request for metrics until it is disposed of. */
export function showReadiness({ metrics: registry, presence }: Shown, checks: readonly HealthCheck[]): Disposable {
  presence.checks = checks
  // Removes the metric of an earlier start in this process.
  registry.removeSingleMetric(ready)
  new Gauge({
    name: ready,
    help: 'Whether a check of /readyz succeeds: 1 or 0',
    labelNames: ['check'],
    registers: [registry],
    async collect() {
      const { checks: found } = await reportHealth(checks)
      this.reset()
      for (const [check, state] of Object.entries(found)) this.set({ check }, state === 'ok' ? 1 : 0)
    },
  })
  return { [Symbol.dispose]: () => registry.removeSingleMetric(ready) }
}
