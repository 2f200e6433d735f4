import type { Bus } from '@platen/messaging/connection/bus.ts'
import t from 'tap'
import { serveConsumerRequests } from './subscriber-consumers.ts'

// The rights of subscribers are tested with their account in set-up-streams.test.ts.

t.test('a flood of requests is refused above a limit, instead of kept until JetStream answers', async (t) => {
  const jetstream = Promise.withResolvers<{ data: Uint8Array }>()
  let receive: (err: null, message: object) => void = () => {}
  let asked = 0
  const nats = {
    subscribe: (_: string, { callback }: { callback: typeof receive }) => {
      receive = callback
      return { unsubscribe() {} }
    },
    request: () => {
      asked++
      return jetstream.promise
    },
  }
  using _ = serveConsumerRequests({ nats } as unknown as Pick<Bus, 'nats'>)
  const answers: string[] = []
  const request = {
    subject: 'consumers.CREATE.EVENTS.mine',
    string: () => JSON.stringify({ stream_name: 'EVENTS', config: { durable_name: 'mine' } }),
    respond: (answer: string | Uint8Array) => answers.push(String(answer)),
  }
  for (let count = 0; count < 70; count++) receive(null, request)
  t.equal(asked, 64)
  t.equal(answers.length, 6)
  t.match(JSON.parse(answers[0] ?? ''), { error: { code: 503, description: /ask again/ } })
  jetstream.resolve({ data: new Uint8Array() })
  await new Promise(setImmediate)
  receive(null, request)
  t.equal(asked, 65, 'and heard again later')
})
