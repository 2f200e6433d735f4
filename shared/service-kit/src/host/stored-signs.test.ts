import { buckets } from '@platen/domain/streams/buckets.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { startBackingServices } from '@platen/test-support/start-backing-services.ts'
import { until } from '@platen/test-support/until.ts'
import { DiscardPolicy } from 'nats'
import t from 'tap'

const stream = `KV_${buckets.processes.name}`

/** The configuration of the bucket, once it exists and has a sign. */
const configOf = ({ jsm }: Bus) =>
  until(async () => {
    const info = await jsm.streams.info(stream).catch(() => undefined)
    return info && info.state.messages > 0 ? info.config : undefined
  }, 'nothing is announced')

t.test(
  'a NATS that answers and stores nothing is noticed while nothing is sent, and when it stores again',
  async (t) => {
    await using stack = await startBackingServices()
    const { bus } = stack.services
    const config = await configOf(bus)
    // JetStream no longer confirms that it has stored a message, as with a full disk.
    await bus.jsm.streams.update(stream, { ...config, no_ack: true })
    const refusal = () =>
      bus.check().then(
        () => undefined,
        (err: Error) => err,
      )
    t.match(await until(refusal, 'it is not noticed'), { message: `the stream ${stream} does not store messages` })
    await bus.jsm.streams.update(stream, { ...config, no_ack: false })
    await until(async () => ((await refusal()) ? undefined : true), 'it does not recover')
  },
)

t.test('a bucket of signs that is full says nothing of the disk', async () => {
  await using stack = await startBackingServices()
  const { bus, presence } = stack.services
  const config = await configOf(bus)
  await bus.jsm.streams.update(stream, {
    ...config,
    max_bytes: 1,
    discard: DiscardPolicy.New,
    max_msgs_per_subject: -1,
  })
  const refused = bus.nats.subscribe('_INBOX.>')
  presence.changed.wake()
  for await (const { data } of refused) if (new TextDecoder().decode(data).includes('maximum bytes')) break
  await bus.check()
})
