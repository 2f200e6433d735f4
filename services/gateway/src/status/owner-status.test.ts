import { renderQueues } from '@platen/domain/streams/subjects.ts'
import t from 'tap'
import { ownerStatus } from './owner-status.ts'

t.test('an operation on a PDF that a client waits for is no batch', async (t) => {
  const places = renderQueues.map((queue) => ({ id: `pdf_${queue}`, ownerId: 'own_a', queue }))
  const generations = {
    rendering: () => ['pdf_batch'],
    endedInLast: () => ({ completed: 0, failed: 0, cancelled: 0, failures: [] }),
  }
  const status = await ownerStatus({ generations, queue: { list: async () => places } }, 'own_a')
  t.match(status.generations, { accepted: 6, queued: { interactive: 2, batch: 3 }, rendering: 1 })
})
