import type { Msg } from 'nats'
import t from 'tap'
import { DeliveredMessage } from './delivered-message.ts'

function message(reply: string) {
  const answers: string[] = []
  const respond = (answer: string) => answers.push(answer)
  return { message: new DeliveredMessage({ subject: 'commands.x', reply, respond } as unknown as Msg), answers }
}

t.test('the delivery is read from both forms of the reply subject', async (t) => {
  const delivery = { stream: 'COMMANDS', seq: 42, deliveryCount: 3, timestampNanos: 1_700_000_000_000_000_000 }
  for (const reply of [
    '$JS.ACK.COMMANDS.template.3.42.17.1700000000000000000.5',
    '$JS.ACK._.hash.COMMANDS.template.3.42.17.1700000000000000000.5',
    '$JS.ACK.eu.hash.COMMANDS.template.3.42.17.1700000000000000000.5.random',
  ]) {
    t.strictSame(message(reply).message.info, delivery, reply)
  }
  for (const reply of ['', '_INBOX.1', '$JS.ACK.COMMANDS']) t.throws(() => message(reply), { message: /not delivered/ })
})

t.test('a message is settled once, and not worked on afterwards', async (t) => {
  const reply = '$JS.ACK.COMMANDS.template.1.1.1.1700000000000000000.0'
  const { message: acked, answers } = message(reply)
  acked.working()
  acked.ack()
  acked.working()
  acked.nak(0)
  t.strictSame(answers, ['+WPI', '+ACK'])
  const delayed = message(reply)
  delayed.message.nak(1_500)
  t.strictSame(delayed.answers, ['-NAK {"delay":1500000000}'])
  const dead = message(reply)
  dead.message.term()
  t.strictSame(dead.answers, ['+TERM'])
})

t.test('a message was begun before if it was delivered before, or its handler runs again', async (t) => {
  const { message: first } = message('$JS.ACK.COMMANDS.template.1.1.1.1700000000000000000.0')
  first.begin()
  t.notOk(first.wasBegun)
  first.begin()
  t.ok(first.wasBegun)
  const { message: second } = message('$JS.ACK.COMMANDS.template.2.1.2.1700000000000000000.0')
  second.begin()
  t.ok(second.wasBegun)
})
