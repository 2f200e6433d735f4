import t from 'tap'
import { GenerationRequest } from './generation.ts'
import { retriedRequest } from './retried-request.ts'

t.test(
  'a generation that is made again has each field of the earlier one, but for its batch and its kept input',
  async (t) => {
    const earlier: Required<GenerationRequest> = {
      generation_id: 'pdf_01k9x2v7w300002f0g2h4j6k8m',
      owner_id: 'own_default',
      api_key_id: 'key_5x0w8z7v3d2e8f0g2h4j6k8m0a',
      template: { id: 'tpl_01k9x2v7w300002f0g2h4j6k8m', version: 2, slug: 'bill' },
      metadata: { order: '7' },
      file_name: 'Bill 7',
      webhook_url: 'https://hooks.example.com/platen',
      file_webhook: {
        url: 'https://a.example/file',
        method: 'POST',
        error_method: 'POST',
        headers: {},
        trace: 't',
        file_name: 'a.pdf',
        quoted: {},
      },
      batch: { id: 'bat_01k9x2v7w3d5e8f0g2h4j6k8m0', index: 7 },
      retry_of: 'pdf_01k9x2v7w300002f0g2h4j6k8a',
      operation: 'merge',
      kept_input: { object_key: 'inputs/kept', days: 3, bytes: 100, sha256: 'a'.repeat(64) },
    }
    t.same(Object.keys(earlier).sort(), Object.keys(GenerationRequest.properties).sort(), 'every field is here')
    const { batch: _batch, kept_input: _kept, generation_id: retry_of, ...inherited } = earlier
    const generation_id = 'pdf_01k9x2v7w300002f0g2h4j6k8z'
    t.strictSame(retriedRequest(earlier, generation_id), { ...inherited, generation_id, retry_of })
  },
)
