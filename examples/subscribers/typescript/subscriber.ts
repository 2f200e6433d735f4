// Prints each PDF that is completed from now on. npm install nats @platen/events
// EVENTS_URL: printed by `npm run --silent platen -- nats-url`
import { subscribe } from '@platen/events/subscribe'
import { connect } from 'nats'

const stop = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => stop.abort())
const { host, username, password } = new URL(process.env.EVENTS_URL ?? '')
const nats = await connect({ servers: host, user: username, pass: password, inboxPrefix: '_INBOX_subscriber' })
const ended = subscribe({
  nats,
  durable: 'typescript-example',
  events: ['GenerationCompleted'],
  // In production, `handled` is a table with a unique index. Replays are skipped, so that nothing is printed twice.
  handle({ subject, data }) {
    console.log(subject, data.file_name, data.pages, data.metadata.order)
  },
  onReady: () => console.log('ready'),
  onError: (err) => console.error(err),
  signal: stop.signal,
})
await ended
await nats.drain()
