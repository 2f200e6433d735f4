import { startBackingServices } from '@platen/test-support/start-backing-services.ts'
import { until } from '@platen/test-support/until.ts'
import t from 'tap'
import { announcedProcesses } from '../host/announced-processes.ts'
import { announceService } from '../host/presence-metrics.ts'
import { RelayShare } from './share.ts'

t.test('a process that has fallen silent has no share', async (t) => {
  await using stack = await startBackingServices()
  const other = await stack.open()
  const { queries } = stack.services.bus
  using _running = announceService(other, 'renderer')
  const isRunning = async () =>
    (await announcedProcesses({ queries }))?.some(
      ({ state, services }) => state === 'running' && services.length > 0,
    ) || undefined
  await until(isRunning, 'the process is not announced')
  /** Whether this process, which has two of four partitions, takes a third one. */
  const takesMore = async (bus: { queries: typeof queries }) => {
    using share = await RelayShare.open(bus, { service: 'renderer', instance: 'mine', partitions: 4 })
    for (const partition of [0, 1]) share.holds(partition, () => {})
    return share.takes(0)
  }
  t.notOk(await takesMore({ queries }))
  const info: typeof queries.streams.info = async (...args) =>
    Object.assign(await queries.streams.info(...args), { ts: new Date(Date.now() + 3_600_000).toISOString() })
  const streams = Object.assign(Object.create(queries.streams), { info })
  const anHourLater = Object.assign(Object.create(queries), { streams })
  t.ok(await takesMore({ queries: anHourLater }))
})
