// Prints each PDF that is completed from now on. npm install nats @platen/events
// EVENTS_URL: printed by `npm run --silent platen -- nats-url`
import { parseEvent, subjects } from '@platen/events'
import { AckPolicy, connect, DeliverPolicy } from 'nats'

const { host, username, password } = new URL(process.env.EVENTS_URL ?? '')
const nats = await connect({ servers: host, user: username, pass: password, inboxPrefix: '_INBOX_subscriber' })
await (await nats.jetstreamManager()).consumers.add('EVENTS', {
  durable_name: 'typescript-example',
  filter_subject: subjects.GenerationCompleted,
  deliver_policy: DeliverPolicy.New,
  ack_policy: AckPolicy.Explicit,
  max_deliver: 10,
})
const handled = new Set<string>() // in production: a table with a unique index
const consumer = await nats.jetstream().consumers.get('EVENTS', 'typescript-example')
console.log('ready')
for await (const message of await consumer.consume()) {
  const event = parseEvent(message.data)
  if (event.type === 'com.platen.GenerationCompleted' && !handled.has(event.id)) {
    console.log(event.subject, event.data.file_name, event.data.pages, event.data.metadata.order)
    handled.add(event.id)
  }
  message.ack()
}
