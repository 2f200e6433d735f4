import { ensureStreams } from '@platen/domain/streams/set-up-streams.ts'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import { openBus } from '@platen/messaging/connection/bus.ts'
import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { Registry } from 'prom-client'
import t from 'tap'
import { addServiceMetrics } from './service-metrics.ts'

t.test('requests at the same time get all metrics, each with the state of now', async (t) => {
  await using server = await startNatsServer()
  await using bus = await openBus({ url: server.url }, 'test', createLogger('test', 'silent'))
  await ensureStreams(bus.jsm)
  await bus.jsm.consumers.add('EVENTS', { durable_name: 'accounting' })
  const registry = new Registry()
  addServiceMetrics({ bus, registry, paths: [t.testdir()] })
  const all = await Promise.all(Array.from({ length: 20 }, () => registry.metrics()))
  const shown = /^platen_(consumer_(pending|acknowledged)\{stream="EVENTS",consumer="accounting"\}|disk_free_bytes)/gm
  for (const text of all) t.equal(text.match(shown)?.length, 3, 'two of the consumer, one disk')
})
