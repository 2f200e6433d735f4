import { label } from '../documents/label.ts'
import { type Attack, repeating } from './attack.ts'

const endless = { html: '<script>for (;;);</script>' }

interface Abuse {
  body: () => object
  connections: number
  dropAfterMs?: number
  pauseMs?: number
}

/** Attacks of an API key that takes more than its share of documents. */
export const attacks: readonly Attack[] = [
  abuse('endless documents, dropped after 0.2 s', { body: () => endless, connections: 30, dropAfterMs: 200 }),
  abuse('endless documents', { body: () => endless, connections: 30 }),
  abuse('endless documents, six a minute', { body: () => endless, connections: 1, dropAfterMs: 200, pauseMs: 9_800 }),
  abuse('labels', { body: () => ({ html: label().html }), connections: 32 }),
  abuse('asynchronous labels', { body: () => ({ html: label().html, async: true }), connections: 8 }),
  abuse('asynchronous endless documents', { body: () => ({ ...endless, async: true }), connections: 2, pauseMs: 50 }),
]

function abuse(name: string, { body, dropAfterMs, ...repetition }: Abuse): Attack {
  const options = dropAfterMs === undefined ? {} : { dropAfterMs }
  return repeating(name, (send) => () => send('POST', '/v1/generate', { body: body(), ...options }), repetition)
}
