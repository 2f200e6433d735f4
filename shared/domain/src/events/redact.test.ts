import t from 'tap'
import { publicMessage, redactAll } from './redact.ts'

t.test('messages for subscribers quote nothing of a document', async (t) => {
  const cases: [code: string, message: string, published: string][] = [
    [
      'TEMPLATE_RENDER_ERROR',
      'html, line 3, column 5: formatCurrency: "Ann Smith" is not a number, in {{formatCurrency name}}',
      'html, line 3, column 5: the template cannot be filled with this data',
    ],
    ['TEMPLATE_RENDER_ERROR', 'formatDate: "Ann" is not a date', 'the template cannot be filled with this data'],
    [
      'TEMPLATE_SYNTAX_ERROR',
      'header_html, line 1, column 4: {{name is not closed: }} is missing',
      'header_html, line 1, column 4: the template cannot be compiled',
    ],
    ['CONSOLE_ERROR', 'Uncaught Error: no account of Ann Smith', 'a script of the document has reported an error'],
    ['RENDER_FAILED', 'options.fail_on: CONSOLE_ERROR: no account of Ann Smith', 'options.fail_on: CONSOLE_ERROR'],
    ['RENDER_FAILED', 'The document navigates to another page', 'The document navigates to another page'],
    ['RESOURCE_FAILED', 'https://a.example/x.png?sig=1: not found', 'https://a.example/x.png?…: not found'],
  ]
  for (const [code, message, published] of cases) t.equal(publicMessage(code, message), published)
})

t.test(
  'the URLs in all texts of a value are shown without their tokens, and headers without their values',
  async (t) => {
    const shown = redactAll({
      webhook_url: 'https://me:pw@a.example/hook?token=1',
      options: { base_url: 'https://a.example/#frag', scale: 1 },
      file_webhook: { url: 'https://a.example/hook', headers: { authorization: 'Bearer 1', 'x-key': '1' } },
      list: ['"https://a.example/x?token=2"', 12345678901234567890n, null, true],
    })
    t.strictSame(shown, {
      webhook_url: 'https://a.example/hook?…',
      options: { base_url: 'https://a.example/#…', scale: 1 },
      file_webhook: { url: 'https://a.example/hook', headers: { authorization: '…', 'x-key': '…' } },
      list: ['"https://a.example/x?…"', 12345678901234567890n, null, true],
    })
    t.notMatch(JSON.stringify(redactAll({ name: 'https://a.example/?token=3\\"quoted' })), 'token')
    const plain = { url: 'https://a.example/hook', deep: { list: [] }, headers: 'a text' }
    t.equal(redactAll(plain), plain)
  },
)
