import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import t from 'tap'
import { withoutTokens } from './dead-letters.ts'

const shown = (input: object) => {
  const request = { generation_id: 'pdf_1', owner_id: 'own_1', api_key_id: 'key_1' }
  return withoutTokens({ type: 'RenderPdf', data: { request, input } }) as { data: { input: object } }
}

t.test('a dead letter is shown without passwords, files and values of forms', async (t) => {
  const output = {
    protect: { user_password: 'secret', permissions: { print: false } },
    attachments: [{ name: 'a', media_type: 'text/plain', content_base64: 'secret' }],
  }
  const tool = {
    operation: { operation: 'fill', fields: { name: 'secret' } },
    sources: [{ name: 'upload', content_base64: 'secret', password: 'secret' }],
  }
  const letter = shown({ tool, options: resolvePdfOptions({ output }) })
  t.notMatch(JSON.stringify(letter), 'secret')
  t.match(letter.data.input, {
    tool: { operation: { operation: 'fill' }, sources: [{ name: 'upload' }] },
    options: { format: 'A4', output: { protect: { permissions: { print: false } }, attachments: [{ name: 'a' }] } },
  })
})

t.test('other inputs are shown as they are, and what cannot be read is left out', async (t) => {
  const plain = { html: '<p>x', options: resolvePdfOptions() }
  t.strictSame(shown(plain).data.input, plain)
  const broken = { html: 'x', options: { output: { protect: { user_password: 'secret' }, stamps: 'secret' } } }
  t.notMatch(JSON.stringify(shown(broken)), 'secret')
})
