import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { connect, createInbox, headers } from 'nats'
import t, { type Test } from 'tap'
import { addTestStreams } from '../testing/test-streams.ts'
import { PubAcks } from './pub-acks.ts'

const timeoutMs = 5_000
const publicationTo = (subject: string, fields: Record<string, string> = {}) => {
  const ofMessage = headers()
  for (const [name, value] of Object.entries(fields)) ofMessage.set(name, value)
  return { subject, payload: 'x', headers: ofMessage, timeoutMs }
}

async function givenStreams(t: Test) {
  const server = await startNatsServer()
  const nats = await connect({ servers: server.url })
  t.teardown(async () => {
    await nats.close()
    await server[Symbol.asyncDispose]()
  })
  await addTestStreams(await nats.jetstreamManager())
  return { nats, acks: new PubAcks(nats, createInbox()) }
}

t.test('each message gets its own answer', async (t) => {
  const { acks } = await givenStreams(t)
  const sent = Array.from({ length: 100 }, () => acks.publish(publicationTo('commands.test')))
  t.strictSame(
    (await Promise.all(sent)).map(({ seq }) => seq),
    Array.from({ length: 100 }, (_, index) => index + 1),
  )
  const again = () => acks.publish(publicationTo('commands.test', { 'Nats-Msg-Id': 'one' }))
  t.match(await again(), { stream: 'COMMANDS', seq: 101, duplicate: false })
  t.match(await again(), { stream: 'COMMANDS', seq: 101, duplicate: true })
})

t.test('a message that is not stored is an error that says why', async (t) => {
  const { nats, acks } = await givenStreams(t)
  await t.rejects(acks.publish(publicationTo('nowhere')), { code: '503' }, 'no stream takes it')
  const wrong = { 'Nats-Expected-Last-Subject-Sequence': '7' }
  const refused = { message: /wrong last sequence/, api_error: { err_code: 10071 } }
  await t.rejects(acks.publish(publicationTo('commands.test', wrong)), refused)
  nats.subscribe('silent')
  await t.rejects(acks.publish({ ...publicationTo('silent'), timeoutMs: 50 }), { code: 'TIMEOUT' })
  nats.subscribe('talks', { callback: (_, message) => void message.respond('no JSON') })
  await t.rejects(acks.publish(publicationTo('talks')), { code: 'BAD_JSON' })
  await t.rejects(acks.publish({ ...publicationTo('big'), payload: new Uint8Array(2 ** 21) }), {
    code: 'MAX_PAYLOAD_EXCEEDED',
  })
})
