import { collectDefaultMetrics, type Registry } from 'prom-client'

/**
 * Resolution of the event loop delay, and thus its smallest percentile. With the default of 10 ms, this timer would be
 * most of the work of an idle process.
 */
const eventLoopMonitoringPrecision = 100

/** Adds the metrics of the process and of Node: https://github.com/siimon/prom-client#default-metrics */
export function addProcessMetrics(register: Registry): void {
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision })
}
