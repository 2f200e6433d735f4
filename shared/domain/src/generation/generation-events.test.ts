import t from 'tap'
import { GenerationCancelled, GenerationCompleted, GenerationFailed, webhookHeader } from './generation-events.ts'

t.test('the message of an end says whether nobody is to be called', async (t) => {
  const request = { owner_id: 'own_1', api_key_id: 'key_1' }
  for (const { type, published } of [GenerationCompleted, GenerationFailed, GenerationCancelled]) {
    t.strictSame(published.headers?.(request), { [webhookHeader.name]: webhookHeader.none }, type)
    t.strictSame(published.headers?.({ ...request, webhook_url: 'https://example.com' }), {}, type)
  }
})
