import { ErrorCode, NatsError } from 'nats'
import t from 'tap'
import { ask } from './ask.ts'
import { BusUnavailable } from './bus-unavailable.ts'

const bus = { whenConnected: async () => {}, untilDisconnected: <Result>(answer: Promise<Result>) => answer }
const never = new Promise<string>(() => {})
const noResponders = () => Promise.reject(new NatsError('503', ErrorCode.NoResponders))

/** A request with an answer for each time that it is sent; the last one for all further times. */
function asking(...answers: (() => Promise<string>)[]) {
  let sent = 0
  const request = () => (answers[sent++] ?? answers.at(-1))?.() ?? never
  return { request, sent: () => sent }
}

t.test('a request whose answer is lost is sent again', async (t) => {
  const { request, sent } = asking(
    () => never,
    async () => 'second',
  )
  t.equal(await ask(bus, request), 'second')
  t.equal(sent(), 2)
})

t.test('the first answer counts, also if its request was sent again since', async (t) => {
  const late = Promise.withResolvers<string>()
  const { request, sent } = asking(
    () => late.promise,
    async () => {
      late.resolve('first')
      return never
    },
  )
  t.equal(await ask(bus, request), 'first')
  t.equal(sent(), 2)
})

t.test('a stream without a leader is asked until it has one; without one in 4 s, NATS is unavailable', async (t) => {
  const elected = asking(noResponders, noResponders, async () => 'leader')
  t.equal(await ask(bus, elected.request), 'leader')
  await t.rejects(ask(bus, asking(noResponders).request), BusUnavailable)
  await t.rejects(ask(bus, asking(() => never).request), BusUnavailable)
})

t.test('a refusal is thrown at once', async (t) => {
  const refused = asking(() => Promise.reject(new Error('refused')))
  await t.rejects(ask(bus, refused.request), { message: 'refused' })
  t.equal(refused.sent(), 1)
})
