import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import t from 'tap'
import { GenerationQueue } from './generation-queue.ts'
import { QueuedByKey } from './queued-by-key.ts'

const input = { html: 'x'.repeat(700 * 1_024), options: resolvePdfOptions() }
const cause = { id: crypto.randomUUID(), time: new Date().toISOString(), correlation_id: 'req_1' }

/** Submits a document whose large input is stored, and then something happens. */
async function submit(then: (leave: () => void) => void) {
  const stored = new Set<string>()
  const client = new AbortController()
  const objects = {
    async put(key: string) {
      stored.add(key)
      then(() => client.abort())
    },
    delete: async (key: string) => void stored.delete(key),
  }
  // Neither document is sent.
  const bus = { clock: { now: () => Date.now() } }
  const log = createLogger('test', 'silent')
  const queue = new GenerationQueue({ bus, objects, queuedByKey: new QueuedByKey(), log } as never)
  const asking = { caller: { ownerId: 'own_1', apiKeyId: 'key_1' }, cause, details: {}, input, id: newId('pdf') }
  const waiting = { returns: false, timeoutMs: 1_000, replyTo: '_INBOX.x', disconnected: client.signal }
  const refusal = await queue.submit({ ...asking, client: waiting }).catch((err) => err)
  return { refusal, stored }
}

t.test('a large input whose client leaves while it is stored is deleted', async (t) => {
  const { refusal, stored } = await submit((leave) => leave())
  t.match(refusal, { code: 'INVALID_REQUEST' })
  t.strictSame([...stored], [])
})

t.test('a request is refused whose gateway was suspended for so long that its input may be removed', async (t) => {
  const { now } = Date
  try {
    const { refusal, stored } = await submit(() => {
      Date.now = () => now() + 16 * 60_000
    })
    t.match(refusal, { code: 'SERVICE_UNAVAILABLE' })
    t.strictSame([...stored], [])
  } finally {
    Date.now = now
  }
})
