import { buckets } from '@platen/domain/streams/buckets.ts'
import { streams } from '@platen/domain/streams/subjects.ts'
import { runService } from '@platen/service-kit/host/run-service.ts'
import { startRelay } from '@platen/service-kit/relay/relay.ts'

// The relay of the renderers in a process of its own, so that its processor time is told from that of rendering. In a deployment it
// runs in the renderers that hold its leases. Started before these, it holds them here.

const exitCode = await runService(process.env, {
  name: 'relay',
  readConfig: () => ({}),
  async start(_, services) {
    await services.streams.require({
      streams: [streams.events],
      consumers: [],
      buckets: [buckets.leases, buckets.checkpoints],
    })
    const stop = new AbortController()
    const log = services.log.child({ service: 'renderer' })
    const relay = await startRelay({ ...services, service: 'renderer', log, stopping: stop.signal })
    return {
      checks: [relay.check],
      async [Symbol.asyncDispose]() {
        stop.abort()
        await relay.done
      },
    }
  },
})
process.exit(exitCode)
