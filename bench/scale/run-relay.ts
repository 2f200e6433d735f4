import { buckets } from '@platen/domain/streams/buckets.ts'
import { streams } from '@platen/domain/streams/subjects.ts'
import { relayPartitions } from '@platen/service-kit/host/common-settings.ts'
import { announceService } from '@platen/service-kit/host/presence-metrics.ts'
import { runService } from '@platen/service-kit/host/run-service.ts'
import { startRelay } from '@platen/service-kit/relay/relay.ts'

// The relay of the renderers in a process of its own, so that its processor time is told from that of rendering. In a deployment it
// runs in the renderers that hold its leases. Started before these, it holds them here: of several, each a partition. It is announced as
// a renderer, so that they divide the partitions among themselves.

const exitCode = await runService(process.env, {
  name: 'renderer',
  readConfig: (settings) => settings.read({ relayPartitions }),
  async start({ relayPartitions: partitions }, services) {
    await services.streams.require({
      streams: [streams.events],
      consumers: [],
      buckets: [buckets.leases, buckets.checkpoints],
    })
    const stop = new AbortController()
    const log = services.log.child({ service: 'renderer' })
    const relay = await startRelay({ ...services, service: 'renderer', partitions, log, stopping: stop.signal })
    const announced = announceService(services, 'renderer')
    return {
      checks: [relay.check],
      async [Symbol.asyncDispose]() {
        announced[Symbol.dispose]()
        stop.abort()
        await relay.done
      },
    }
  },
})
process.exit(exitCode)
