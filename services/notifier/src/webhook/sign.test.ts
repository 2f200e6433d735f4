import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { signParts, webhookHeaders } from './sign.ts'

t.test('the signatures match the published test vectors', async (t) => {
  const first = webhookHeaders({
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestampS: 1614265330,
    body: '{"test": 2432232314}',
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  })
  t.equal(first['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  const second = webhookHeaders({
    id: 'msg_27UH4WbU6Z5A5EzD8u03UvzRbpk',
    timestampS: 1649367553,
    body: '{"email":"test@example.com","username":"test_user"}',
    secrets: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
  })
  t.equal(second['webhook-signature'], 'v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=')
})

t.test('while a secret rotates, both secrets verify and others do not', async (t) => {
  const secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD']
  const body = '{"name":"Größe ✓"}'
  const headers = webhookHeaders({ id: 'msg_1', timestampS: Math.floor(Date.now() / 1_000), body, secrets })
  for (const secret of secrets) t.strictSame(new Webhook(secret).verify(body, headers), { name: 'Größe ✓' })
  const stranger = new Webhook('whsec_AAAA9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
  t.throws(() => stranger.verify(body, headers))
  t.throws(() => new Webhook(secrets[0] ?? '').verify(`${body} `, headers))
})

t.test('a body in parts is signed as the whole', async (t) => {
  const message = { id: 'msg_1', timestampS: 1_614_265_330, secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] }
  const parts = (async function* () {
    yield Buffer.from('ab')
    yield Buffer.from('c')
  })()
  t.strictSame(await signParts(message, parts), { size: 3, headers: webhookHeaders({ ...message, body: 'abc' }) })
})
