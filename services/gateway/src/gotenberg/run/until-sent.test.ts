import type { FileWebhook } from '@platen/domain/generation/file-webhook.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { until } from '@platen/test-support/until.ts'
import t from 'tap'
import { ViewUpdates } from '../../views/view-updates.ts'
import { type SendingOptions, untilSent } from './until-sent.ts'

const id = 'pdf_1'
const url = 'http://a/file'
const webhook: FileWebhook = {
  url,
  method: 'POST',
  error_url: 'http://a/error',
  error_method: 'POST',
  events_url: 'http://a/events',
  headers: {},
  trace: 'mine',
  file_name: 'foo',
  quoted: {},
}
const completed = { status: 'completed', request: {}, result: { object_key: 'pdfs/1' } }

/** Views whose generation and deliveries a test changes. */
function viewsOf({ syncTimeoutMs = 60_000 } = {}) {
  const updates = new ViewUpdates()
  const shown: { state?: object; deliveries: object[]; looks: number; lost?: boolean } = { deliveries: [], looks: 0 }
  const generations = { find: () => shown.state && { state: shown.state } }
  const options = {
    answering: { updates, generations, config: { syncTimeoutMs } },
    deliveries: {
      async list() {
        shown.looks++
        if (shown.lost) throw new DependencyUnavailable('The view is being rebuilt')
        return { items: shown.deliveries }
      },
    },
  } as unknown as SendingOptions
  const end = (state: object) => {
    shown.state = state
    updates.notify([id])
  }
  let hasReturned = false
  const client = new AbortController()
  const sent = untilSent(options, { id, webhook, disconnected: client.signal }).then(() => {
    hasReturned = true
  })
  const isWaiting = async () => {
    await new Promise((resolve) => setTimeout(resolve, 120))
    return !hasReturned
  }
  return { shown, end, sent, isWaiting, client }
}

const pending = { state: { status: 'pending' }, attempts: [] }
const failedOnce = { state: { status: 'pending' }, attempts: [{ attempt: 1 }] }
const succeeded = { state: { status: 'succeeded' }, attempts: [] }

t.test('the file and the event are attempted before it returns', async (t) => {
  const { shown, end, sent, isWaiting } = viewsOf()
  t.ok(await isWaiting(), 'for the generation')
  end(completed)
  t.ok(await isWaiting(), 'for both deliveries')
  shown.deliveries = [succeeded, pending]
  t.ok(await isWaiting(), 'for the event')
  shown.deliveries = [succeeded, failedOnce]
  await sent
})

t.test('it returns when the client has left, and at the end of the time', async () => {
  const { sent, client, end } = viewsOf()
  end(completed)
  client.abort()
  await sent
  await viewsOf({ syncTimeoutMs: 50 }).sent
})

t.test('a view that cannot be read for a moment does not fail a request whose generation is stored', async (t) => {
  const { shown, end, sent, isWaiting } = viewsOf()
  shown.lost = true
  end(completed)
  t.ok(await isWaiting(), 'it looks again')
  Object.assign(shown, { lost: false, deliveries: [succeeded, succeeded] })
  await sent
})

t.test('the longer it waits, the less often it looks', async (t) => {
  const { shown, end, sent } = viewsOf()
  const startedAt = performance.now()
  end(completed)
  await until(() => (shown.looks === 5 ? true : undefined), 'it does not look again')
  // 50, 100, 200 and 400 ms; a busy machine takes longer.
  t.ok(performance.now() - startedAt > 700, 'it looks every 50 ms')
  shown.deliveries = [succeeded, succeeded]
  await sent
})
