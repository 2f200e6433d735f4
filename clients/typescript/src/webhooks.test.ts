import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { webhookHeaders } from '../../../services/notifier/src/webhook/sign.ts'
import { verifyWebhook, WebhookVerificationError } from './webhooks.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const newSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const body = JSON.stringify({ type: 'generation.completed', timestamp: '', data: { id: 'pdf_1', file_name: 'März' } })
const nowS = () => Math.floor(Date.now() / 1_000)

/** Headers as the reference library of Standard Webhooks makes them. */
function signed(atS = nowS(), signer = new Webhook(secret)) {
  const at = new Date(atS * 1_000)
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(atS),
    'webhook-signature': signer.sign('msg_1', at, body),
  }
}

t.test('webhooks that the reference library has signed are accepted', async (t) => {
  const headers = signed()
  const wanted = JSON.parse(body)
  t.same(await verifyWebhook(body, headers, secret), wanted)
  t.same(await verifyWebhook(new TextEncoder().encode(body), new Headers(headers), secret), wanted)
  t.same(await verifyWebhook(Buffer.from(body), headers, [newSecret, secret]), wanted, 'one of several secrets')
  t.same(await verifyWebhook(body, headers, secret.slice('whsec_'.length)), wanted, 'the prefix may be missing')
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
  t.same(await verifyWebhook(body, upper, secret), wanted)
})

t.test(
  'webhooks of Platen are accepted by this and by the reference library, also while a secret is rotated',
  async (t) => {
    const headers = webhookHeaders({ id: 'msg_1', timestampS: nowS(), body, secrets: [newSecret, secret] })
    for (const known of [secret, newSecret]) {
      t.same(await verifyWebhook(body, headers, known), new Webhook(known).verify(body, headers))
    }
  },
)

t.test('what is forged, changed or old is refused by both', async (t) => {
  const good = signed()
  const cases: [name: string, headers: Record<string, string>, sent?: string][] = [
    ['another secret', signed(nowS(), new Webhook(newSecret))],
    ['a changed body', good, `${body} `],
    ['another id', { ...good, 'webhook-id': 'msg_2' }],
    ['another time', { ...good, 'webhook-timestamp': String(nowS() - 10) }],
    ['too old', signed(nowS() - 330)],
    ['too far ahead', signed(nowS() + 330)],
    ['no time', { ...good, 'webhook-timestamp': 'now' }],
    ['no id', { 'webhook-timestamp': good['webhook-timestamp'], 'webhook-signature': good['webhook-signature'] }],
    ['no signature', { ...good, 'webhook-signature': '' }],
    ['an unknown version', { ...good, 'webhook-signature': good['webhook-signature'].replace('v1,', 'v2,') }],
    ['a part of a signature', { ...good, 'webhook-signature': good['webhook-signature'].slice(0, 20) }],
    ['not base64', { ...good, 'webhook-signature': 'v1,***' }],
  ]
  for (const [name, headers, sent = body] of cases) {
    await t.rejects(verifyWebhook(sent, headers, secret), WebhookVerificationError, name)
    t.throws(() => new Webhook(secret).verify(sent, headers), name)
  }
  t.ok(await verifyWebhook(body, signed(nowS() - 330), secret, { toleranceS: 3_600 }), 'the tolerance can be set')
})

t.test('a malformed secret is an error of the program', async (t) => {
  for (const wrong of ['', 'whsec_', 'whsec_***']) await t.rejects(verifyWebhook(body, signed(), wrong), TypeError)
})
