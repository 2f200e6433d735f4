import { streams } from '@platen/domain/streams/subjects.ts'
import { startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import { until } from '@platen/test-support/until.ts'
import t from 'tap'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())

/** How many commands wait for the notifier, of which none runs. */
async function queued(): Promise<number> {
  const { state } = await gateway.services.bus.jsm.streams.info(streams.commands, {
    subjects_filter: 'commands.delivery.>',
  })
  return Object.values(state.subjects ?? {}).reduce((sum, count) => sum + count, 0)
}

t.test(
  'four redeliveries of an owner are sent at once, and those of another owner do not wait for the rest',
  async (t) => {
    const owner = await gateway.call('POST', '/v1/owners', { body: { name: 'other' } })
    const key = await gateway.issueKeyOf(owner.body.id)
    const since = new Date(Date.now() - 60_000).toISOString()
    const redeliver = (call = {}) => gateway.call('POST', '/v1/deliveries/redeliver', { body: { since }, ...call })
    const many = Array.from({ length: 12 }, () => redeliver())
    await until(async () => (await queued()) >= 4 || undefined, 'fewer than four are queued')
    const one = redeliver({ key })
    await until(async () => (await queued()) >= 5 || undefined, 'that of the other owner is not queued')
    t.equal(await queued(), 5)
    for (const answer of await Promise.all([one, ...many])) t.ok([429, 503].includes(answer.status), `${answer.status}`)
  },
)
