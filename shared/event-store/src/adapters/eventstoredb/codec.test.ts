import { randomUUID } from 'node:crypto'
import t from 'tap'
import { decodeEvent, encodeEvent } from './codec.ts'

t.test('events have the correlation and causation that EventStoreDB knows, beside our own', async (t) => {
  const id = randomUUID()
  const metadata = { correlation_id: 'req_1', causation_id: 'command', time: '2026-01-01T00:00:00.000Z' }
  const encoded = encodeEvent({ id, type: 'NoteTaken', data: 1, metadata })
  t.strictSame(encoded.metadata, { ...metadata, $correlationId: 'req_1', $causationId: 'command' })
  const recorded = {
    streamId: 'note-a',
    revision: 0n,
    id,
    type: 'NoteTaken',
    isJson: true,
    data: 1,
    created: new Date(),
  }
  const position = { commit: 7n, prepare: 7n }
  t.strictSame(decodeEvent({ ...recorded, metadata: encoded.metadata, position }, 'epoch').metadata, metadata)
  t.strictSame(encodeEvent({ id, type: 'NoteTaken', data: 1 }).metadata, {})
})
