import { deliveryBody, deliveryId, readDeliveryRecord } from '@platen/domain/delivery/delivery-record.ts'
import { generationStream } from '@platen/domain/generation/generation-events.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import type { CloudEvent } from '@platen/messaging/envelopes/cloud-event.ts'
import { signingFrom } from '@platen/service-kit/signing/signing.ts'
import { recordingLog } from '@platen/test-support/recording-log.ts'
import { storeWith } from '@platen/test-support/store-with.ts'
import { openTemporaryStore } from '@platen/test-support/temporary-store.ts'
import t from 'tap'
import { handleEndedGeneration } from './handle-ended-generation.ts'

const ended = (type: string, code?: string): CloudEvent => ({
  specversion: '1.0',
  id: 'a',
  source: 'dep_1/renderer',
  type,
  subject: newId('pdf'),
  time: new Date().toISOString(),
  datacontenttype: 'application/json',
  dataschema: 'https://pdf.example.com/x.json',
  data: { owner_id: 'own_1', api_key_id: 'key_1', ...defined({ code }) },
  revision: 2,
})

t.test('the end of a generation without a webhook is logged, and its events are not read', async (t) => {
  await using temporary = await openTemporaryStore()
  let reads = 0
  const store = storeWith(temporary.store, {
    readStream(...args) {
      reads += 1
      return temporary.store.readStream(...args)
    },
  })
  const { log, text } = recordingLog()
  const dependencies = {
    store,
    log,
    signing: signingFrom('secret'),
    publicUrl: 'https://pdf.example.com',
    fileUrlTtlS: 60,
    scheduleMs: [],
    now: Date.now,
    random: Math.random,
  }
  await handleEndedGeneration(dependencies, ended('GenerationCompleted'), { hasWebhook: false })
  await handleEndedGeneration(dependencies, ended('GenerationCancelled'), { hasWebhook: false })
  await handleEndedGeneration(dependencies, ended('GenerationFailed', 'RENDER_FAILED'), { hasWebhook: false })
  t.equal(reads, 0)
  for (const line of ['generation completed', 'generation cancelled', 'generation failed', 'RENDER_FAILED', 'own_1']) {
    t.match(text(), line)
  }
  await t.rejects(handleEndedGeneration(dependencies, ended('GenerationCompleted')), /does not contain/)
  t.equal(reads, 1, 'a message that does not say so is looked up')
})

t.test('the file and the event of a generation may go to one URL', async (t) => {
  await using temporary = await openTemporaryStore()
  const { store } = temporary
  const event = ended('GenerationCompleted')
  const url = 'https://a.example/hook'
  const webhook = { method: 'POST', error_method: 'POST', headers: {}, trace: 'mine', file_name: 'foo', quoted: {} }
  const owner = { owner_id: 'own_1', api_key_id: 'key_1' }
  const requested = { ...owner, file_webhook: { ...webhook, url, events_url: url } }
  const events = [
    { id: crypto.randomUUID(), type: 'GenerationRequested', data: requested },
    { id: crypto.randomUUID(), type: 'GenerationCompleted', data: { object_key: 'pdfs/1' } },
  ] as const
  await store.append(generationStream(event.subject), events, 'none')
  const { log } = recordingLog()
  const dependencies = {
    store,
    log,
    signing: signingFrom('secret'),
    publicUrl: 'https://pdf.example.com',
    fileUrlTtlS: 60,
    scheduleMs: [],
    now: Date.now,
    random: Math.random,
  }
  for (const _ of ['delivered', 'redelivered']) await handleEndedGeneration(dependencies, event)
  const deliveries = [deliveryId(event.id, url), deliveryId(event.id, url, '2')]
  const records = await Promise.all(deliveries.map((id) => readDeliveryRecord(store, id)))
  t.match(
    records.map((record) => record && deliveryBody(record)),
    [
      { url, type: 'generation.completed', status: 'pending' },
      { url, type: 'unknown', status: 'pending' },
    ],
  )
})
