import type { StoredEvent } from '@platen/event-store/event-store.ts'
import t from 'tap'
import { eventBody, wholeEventBody } from './event-body.ts'

t.test('the headers of a webhook are shown without their values, in a list and alone', async (t) => {
  const headers = { authorization: 'Bearer sesame', 'x-api-key': 'sesame' }
  const url = 'https://hooks.example.com/file?token=sesame'
  const file_webhook = { url, method: 'POST', error_method: 'POST', headers, trace: 't', file_name: 'f', quoted: {} }
  const owner = { owner_id: 'own_1', api_key_id: 'key_1' }
  const scheduled = { ...owner, generation_id: 'pdf_1', url, event_id: 'e', body: '{}', headers, next_at: 'n' }
  for (const [stream, type, data] of [
    ['generation-pdf_1', 'GenerationRequested', { ...owner, file_webhook }],
    ['delivery-msg_1', 'DeliveryScheduled', scheduled],
  ] as const) {
    const position = '1' as StoredEvent['position']
    const event = { stream, type, data, revision: 0, position, id: 'e', recordedAt: new Date(0), metadata: {} }
    for (const body of [eventBody(event), wholeEventBody(event)]) {
      t.notMatch(JSON.stringify(body), 'sesame', type)
      t.match(JSON.stringify(body), '"headers":{"authorization":"…","x-api-key":"…"}', type)
    }
  }
})
