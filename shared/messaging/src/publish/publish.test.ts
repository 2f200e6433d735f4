import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { recordingLog } from '@platen/test-support/recording-log.ts'
import { startTcpProxy } from '@platen/test-support/tcp-proxy.ts'
import { until } from '@platen/test-support/until.ts'
import t from 'tap'
import { openBus } from '../connection/bus.ts'
import { addTestStreams } from '../testing/test-streams.ts'
import { publish } from './publish.ts'

t.test('a message whose answer is lost with its connection is sent again, and stored once', async (t) => {
  await using server = await startNatsServer()
  await using proxy = await startTcpProxy(Number(new URL(server.url).port))
  const { log } = recordingLog()
  await using bus = await openBus({ url: `nats://127.0.0.1:${proxy.port}` }, 'test', log)
  await using near = await openBus({ url: server.url }, 'near', log)
  await addTestStreams(near.jsm)
  const stored = async () => (await near.jsm.streams.info('COMMANDS')).state.messages
  proxy.delayMs = 200
  const sending = publish(bus, { subject: 'commands.test', payload: 'x', messageId: 'one' })
  await until(async () => (await stored()) === 1 || undefined, 'the message does not arrive')
  proxy.cut()
  proxy.delayMs = 0
  t.equal((await sending).duplicate, true)
  t.equal(await stored(), 1)
})

t.test('a stream that stores nothing fails the check until it stores again', async (t) => {
  await using server = await startNatsServer()
  const { log, text } = recordingLog()
  await using bus = await openBus({ url: server.url }, 'test', log)
  await addTestStreams(bus.jsm)
  const config = (await bus.jsm.streams.info('COMMANDS')).config
  await bus.jsm.streams.delete('COMMANDS')
  const send = (messageId: string) => publish(bus, { subject: 'commands.test', payload: 'x', messageId })
  await t.rejects(Promise.all([send('one'), send('two')]), { name: 'BusUnavailable' })
  await t.rejects(bus.check(), { message: /^the stream COMMANDS does not store messages: / })
  t.equal(text().split('NATS does not store messages').length, 2, 'told once')
  await bus.jsm.streams.add(config)
  await send('three')
  await t.resolves(bus.check())
  t.match(text(), 'NATS stores messages again')
})
