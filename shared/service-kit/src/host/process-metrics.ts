import { collectDefaultMetrics, type Registry } from 'prom-client'

/**
 * The period of the timer that measures delays of the event loop, and so the least value of its percentiles. With the default of
 * 10 ms, that timer is most of what a process at rest does.
 */
const eventLoopMonitoringPrecision = 100

/** Adds the metrics of the process and of Node: https://github.com/siimon/prom-client#default-metrics */
export function addProcessMetrics(register: Registry): void {
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision })
}
