import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import { generationOfInput } from '@platen/domain/streams/subjects.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import t from 'tap'
import { prepareRender } from './render-command.ts'

const metadata = { id: crypto.randomUUID(), time: '2026-01-31T12:00:00.000Z', correlation_id: 'req_1' }
const request = { generation_id: newId('pdf'), owner_id: 'own_default', api_key_id: 'key_1' }

async function prepared(html: string) {
  const stored: string[] = []
  const objects = { put: async (key: string) => void stored.push(key) }
  const job = { queue: 'batch' as const, request, input: { html, options: resolvePdfOptions() } }
  const { subject, command } = await prepareRender(objects, { ...job, requires: ['three-dimensions'] }, metadata)
  if (!('payload' in command)) throw new Error('the command is not encoded')
  return { subject, stored, data: JSON.parse(Buffer.from(command.payload).toString()).data }
}

t.test('what an earlier command required is required again, with a small and with a large input', async (t) => {
  const small = await prepared('<p>')
  t.match(small, { subject: `commands.render.batch.own_default.${request.generation_id}`, stored: [] })
  t.match(small.data, { request, input: { html: '<p>' }, requires: ['three-dimensions'] })
  const large = await prepared('x'.repeat(700_000))
  const [input_key = ''] = large.stored
  t.equal(generationOfInput(input_key), request.generation_id)
  t.notSame((await prepared('x'.repeat(700_000))).stored, large.stored, 'an equal request does not replace it')
  t.strictSame(large.data, { requires: ['three-dimensions'], request, input_key })
})

t.test('an operation on PDFs goes to the queue of operations', async (t) => {
  const operation = { operation: 'rotate' as const, degrees: 90 as const }
  const input = { options: resolvePdfOptions(), tool: { operation, sources: [] } }
  const objects = { put: async () => {} }
  for (const queue of ['interactive', 'batch', 'backlog'] as const) {
    const { subject } = await prepareRender(objects, { queue, request, input }, metadata)
    t.equal(subject, `commands.render.tools-${queue}.own_default.${request.generation_id}`)
  }
})
