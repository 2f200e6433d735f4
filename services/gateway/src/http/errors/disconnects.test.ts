import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { onClosed } from './disconnects.ts'

t.test('what a response holds is given up when its client leaves, also if it has left before', async (t) => {
  const given = Promise.withResolvers<void>()
  const server = createServer(async (_, raw) => {
    let ended = 0
    const end = () => ended++
    onClosed({ raw } as never, end)
    await once(raw, 'close')
    onClosed({ raw } as never, end)
    t.equal(ended, 2)
    given.resolve()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const client = request({ port, host: '127.0.0.1' }).on('error', () => {})
  client.end()
  await once(server, 'request')
  client.destroy()
  await given.promise
})
