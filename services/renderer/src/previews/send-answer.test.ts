import { openBus } from '@platen/messaging/connection/bus.ts'
import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { recordingLog } from '@platen/test-support/recording-log.ts'
import { startTcpProxy } from '@platen/test-support/tcp-proxy.ts'
import { headers } from 'nats'
import t from 'tap'
import { sendAnswer } from './send-answer.ts'

t.test('an answer that is lost with its connection is sent again', async (t) => {
  await using server = await startNatsServer()
  await using proxy = await startTcpProxy(Number(new URL(server.url).port))
  const { log } = recordingLog()
  await using near = await openBus(server, 'gateway', log)
  await using bus = await openBus({ url: `nats://127.0.0.1:${proxy.port}` }, 'renderer', log)
  const answers = near.nats.subscribe('answers')
  await near.nats.flush()
  const lost = proxy.trap({ direction: 'request', text: 'Platen-Preview', hold: 'it' }, 60_000)
  const message = {
    respond: (data = new Uint8Array(), options = {}) => {
      bus.nats.publish('answers', data, options)
      return true
    },
  }
  const made = headers()
  made.set('Platen-Preview', 'result')
  const stopping = new AbortController().signal
  const sending = sendAnswer(bus.nats, message, { headers: made, bytes: Buffer.from('%PDF'), stopping })
  t.ok(await lost, 'the answer is on its way')
  proxy.release('lose')
  await sending
  const received = answers[Symbol.asyncIterator]()
  t.equal((await received.next()).value?.headers?.get('Platen-Preview'), 'result')
  t.equal((await received.next()).value?.string(), '%PDF')
})
