import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { until } from '@platen/test-support/until.ts'
import t from 'tap'
import { sendStreamed } from './send-streamed.ts'

/** More than all buffers on the way to the receiver. */
const size = 64 * 2 ** 20

t.test('of two slow sides, the one that was waited for longer is at fault', async (t) => {
  const connected = Promise.withResolvers<net.Socket>()
  const server = net.createServer((socket) => connected.resolve(socket.on('error', () => {}).pause()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const headers = { 'content-length': size + 1 }
  const request = http.request({ port, method: 'POST', agent: false, headers }).on('error', () => {})
  t.teardown(() => {
    request.destroy()
    server.close()
  })
  const content = new Readable({ read() {} })
  const paused = new Promise((resolve) => content.once('pause', resolve))
  const startedAt = performance.now()
  const sending = sendStreamed(request, { size: size + 1, content })
  content.push(Buffer.alloc(size))
  await paused
  const receiver = await connected.promise
  await sleep(2 * (performance.now() - startedAt) + 50)
  t.notOk(sending.isLate(), 'the receiver reads nothing')
  // At this moment the buffer is empty, and the content has nothing.
  const drained = new Promise<boolean>((resolve) => request.once('drain', () => resolve(sending.isLate())))
  receiver.resume()
  t.notOk(await drained, 'the receiver has just read what there was')
  await until(() => sending.isLate() || undefined, 'the content is never late')
})
