import { readEmbeddedNats } from '@platen/service-kit/host/embedded-nats.ts'
import { connect } from 'nats'
import t from 'tap'
import { startPlaten } from '../support/platen.ts'
import { generate } from '../support/print.ts'
import { subscriberAccount } from '../support/subscriber.ts'
import { until } from '../support/until.ts'

t.setTimeout(600_000)

const platen = await startPlaten()
t.teardown(() => platen[Symbol.asyncDispose]())

t.test('the NATS server refuses clients without a password, and the start prints none', async (t) => {
  const account = await subscriberAccount(platen)
  await t.rejects(connect({ servers: account.server }), { code: 'AUTHORIZATION_VIOLATION' })
  const { passwords } = (await readEmbeddedNats(platen.dataDir)) ?? {}
  for (const password of Object.values(passwords ?? {})) t.notOk(platen.output().includes(password))
  t.match(platen.output(), 'platen -- nats-url')

  await platen.stop()
  await platen.start()
  t.strictSame(await subscriberAccount(platen), account, 'the password is the same after a restart')
  await generate(platen, { html: 'x' })
})

t.test('a deleted stream comes back, and every kind of request works again', async (t) => {
  const nats = await readEmbeddedNats(platen.dataDir)
  const services = { user: 'platen', pass: nats?.passwords.services ?? '' }
  const connection = await connect({ servers: `127.0.0.1:${nats?.port}`, ...services })
  t.teardown(() => connection.close())
  const manager = await connection.jetstreamManager()
  for (const stream of ['COMMANDS', 'EVENTS', 'KV_LEASES', 'KV_CHECKPOINTS', 'KV_IDEMPOTENCY']) {
    await manager.streams.delete(stream)
    await until(
      async () => (await platen.json<{ status: string }>('/readyz')).status === 200 || undefined,
      `not ready after ${stream} was deleted`,
    )
    await generate(platen, { html: `after ${stream}` }, { 'idempotency-key': stream })
    const body = { name: `After ${stream}`, html: 'x' }
    t.equal((await platen.json('/v1/templates', { body })).status, 201, stream)
  }
  await until(
    async () => (await manager.streams.info('EVENTS')).state.messages > 0 || undefined,
    'no event is published after the streams were deleted',
  )
})
