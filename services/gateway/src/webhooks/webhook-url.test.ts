import { DomainError } from '@platen/domain/http/errors.ts'
import t from 'tap'
import { checkWebhookUrl } from './webhook-url.ts'

const policy = { webhookAllowPrivate: false, host: '0.0.0.0' }
const url = 'https://hooks.example.com/platen'
const resolvesTo = (address: string) => async () => [{ address, family: 4 }]
const failsWith = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }))

t.test('a host with a public address is accepted', async () => {
  await checkWebhookUrl(url, policy, resolvesTo('8.8.8.8'))
})

t.test('a private address, other protocols and credentials are rejected with the same message', async (t) => {
  const messages = new Set<string>()
  for (const [text, address] of [
    [url, '10.0.0.1'],
    [url, '127.0.0.1'],
    ['ftp://hooks.example.com/', '8.8.8.8'],
    ['https://me:secret@hooks.example.com/', '8.8.8.8'],
    ['https://hooks.example.com/#a', '8.8.8.8'],
  ] as const) {
    const err = await checkWebhookUrl(text, policy, resolvesTo(address)).catch((err) => err)
    t.ok(err instanceof DomainError && err.code === 'WEBHOOK_URL_FORBIDDEN', text)
    messages.add(err.message)
  }
  t.equal(messages.size, 1)
  t.notMatch([...messages][0], /WEBHOOK_ALLOW_PRIVATE/)
})

t.test('where private addresses are allowed, the message does not ask for a public one', async (t) => {
  const open = { webhookAllowPrivate: true, host: '127.0.0.1' }
  await checkWebhookUrl('http://10.0.0.1/', open)
  const message = 'webhook_url must be an http or https URL without user name, password or fragment'
  await t.rejects(checkWebhookUrl('ftp://10.0.0.1/', open), { message })
})

t.test('ports of other protocols are rejected, also where private addresses are allowed', async (t) => {
  for (const webhookAllowPrivate of [false, true]) {
    for (const port of [0, 22, 25, 53, 465, 587, 3306, 5432, 6379, 11211]) {
      const check = checkWebhookUrl(
        `https://hooks.example.com:${port}/`,
        { ...policy, webhookAllowPrivate },
        resolvesTo('8.8.8.8'),
      )
      await t.rejects(check, { code: 'WEBHOOK_URL_FORBIDDEN', message: `the port ${port}` })
    }
  }
  for (const port of [80, 443, 8080, 8443, 3000, 49_152]) {
    await checkWebhookUrl(`https://hooks.example.com:${port}/`, policy, resolvesTo('8.8.8.8'))
  }
})

t.test('a host that does not resolve is accepted', async () => {
  for (const code of ['EAI_AGAIN', 'ENOTFOUND', 'ESERVFAIL']) await checkWebhookUrl(url, policy, failsWith(code))
})

t.test('the message names WEBHOOK_ALLOW_PRIVATE where the gateway listens on loopback', async (t) => {
  const local = { ...policy, host: '127.0.0.1' }
  await t.rejects(checkWebhookUrl(url, local, resolvesTo('10.0.0.1')), { message: /WEBHOOK_ALLOW_PRIVATE=true/ })
})
