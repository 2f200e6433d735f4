import { once } from 'node:events'
import { createServer } from 'node:net'
import t from 'tap'
import { checkCanListen } from './listen-failure.ts'

const settings = { portSetting: 'PORT' }

t.test('the setting that is wrong is named', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  t.teardown(() => taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  await t.rejects(checkCanListen({ ...settings, host: '127.0.0.1', port }), {
    message: `PORT: cannot listen on 127.0.0.1:${port}`,
  })
  // An address for documentation, which no machine has: RFC 5737.
  for (const host of ['203.0.113.9', 'no-such-host.invalid', '2001:db8::1'])
    await t.rejects(checkCanListen({ ...settings, host, port: 0 }), { message: /^HOST: cannot listen on / }, host)
  await t.resolves(checkCanListen({ ...settings, host: '127.0.0.1', port: 0 }))
})
