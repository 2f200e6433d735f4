import { DomainError } from '@platen/shared/runtime/errors.ts'
import t from 'tap'
import { checkWebhookUrl } from './webhook-url.ts'

const policy = { webhookAllowPrivate: false, host: '0.0.0.0' }
const url = 'https://hooks.example.com/platen'
const resolvesTo = (address: string) => async () => [{ address, family: 4 }]
const failsWith = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }))

t.test('a host with a public address is accepted', async () => {
  await checkWebhookUrl(url, policy, resolvesTo('8.8.8.8'))
})

t.test('a private address and an unknown host are rejected with the same message', async (t) => {
  const messages = new Set<string>()
  for (const resolve of [resolvesTo('10.0.0.1'), failsWith('ENOTFOUND')]) {
    const err = await checkWebhookUrl(url, policy, resolve).catch((err) => err)
    t.ok(err instanceof DomainError && err.code === 'WEBHOOK_URL_FORBIDDEN')
    messages.add(err.message)
  }
  t.equal(messages.size, 1)
  t.notMatch([...messages][0], /WEBHOOK_ALLOW_PRIVATE/)
})

t.test('ports of other protocols are rejected, also where private addresses are allowed', async (t) => {
  for (const webhookAllowPrivate of [false, true]) {
    for (const port of [22, 25, 53, 465, 587, 3306, 5432, 6379, 11211]) {
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

t.test('a host is accepted while name resolution is unavailable', async () => {
  await checkWebhookUrl(url, policy, failsWith('EAI_AGAIN'))
})

t.test('the message names WEBHOOK_ALLOW_PRIVATE where the gateway listens on loopback', async (t) => {
  const local = { ...policy, host: '127.0.0.1' }
  await t.rejects(checkWebhookUrl(url, local, resolvesTo('10.0.0.1')), { message: /WEBHOOK_ALLOW_PRIVATE=true/ })
})
