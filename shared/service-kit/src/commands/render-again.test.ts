import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import { streams } from '@platen/domain/streams/subjects.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { derivedId, newId } from '@platen/foundation/runtime/ids.ts'
import { startBackingServices } from '@platen/test-support/start-backing-services.ts'
import t from 'tap'
import { KeptInputs } from '../inputs/kept-inputs.ts'
import { storedInput } from '../inputs/stored-input.ts'
import { renderAgain } from './render-again.ts'

const { services, ...running } = await startBackingServices()
t.teardown(() => running[Symbol.asyncDispose]())
const { bus, objects } = services
const source = { bus, openObjects: async () => objects }
const dayMs = 24 * 3_600_000

/** A request whose input is kept for a day. */
async function keptRequest(generation_id: string) {
  const request = { generation_id, owner_id: 'own_default', api_key_id: 'key_1' }
  const input = { html: '<p>kept', options: resolvePdfOptions() }
  const keptInputs = new KeptInputs({ bus, objects })
  const of = { generationId: generation_id, ownerId: request.owner_id, days: 1, input, options: undefined }
  const kept_input = await keptInputs.keep(of)
  if (!kept_input) throw new Error('it is not kept')
  return { ...request, kept_input }
}
const queued = async () => (await bus.jsm.streams.info(streams.commands)).state.messages

t.test('an input whose time has passed is gone, also before a sweep has deleted it', async (t) => {
  const request = await keptRequest(derivedId('pdf', Date.now() - 1.1 * dayMs, 'past'))
  t.ok(await objects.info(request.kept_input.object_key))
  await t.rejects(storedInput(source, request), { message: /was kept until / })
  t.match(await storedInput(source, await keptRequest(newId('pdf'))), { input: { html: '<p>kept' } })
})

t.test('an input that was encrypted is not put into the queue when its owner has its share', async (t) => {
  const request = await keptRequest(newId('pdf'))
  const { input, options } = await storedInput(source, request)
  const document = { request, input, ...defined({ options }) }
  const bytes = `bytes.${request.owner_id}`
  const full = { [String(Math.ceil(Date.now() / dayMs) + 1)]: 4 * 2 ** 30 }
  const bucket = await bus.js.views.kv('INPUT_KEYS')
  await bucket.put(bytes, JSON.stringify(full))
  await t.rejects(renderAgain(source, document), { code: 'INPUT_LIMIT_EXCEEDED' })
  t.equal(await queued(), 0)
  await bucket.put(bytes, '{}')
  t.match(await renderAgain(source, document), /^pdf_/)
  t.equal(await queued(), 1)
})
