// Verifies a webhook. Node.js 20 or newer; no packages.
import { createHmac, timingSafeEqual } from 'node:crypto'

const toleranceS = 5 * 60

/** `secret`: whsec_…; `body`: as it was received. False for a webhook that is not Platen's, or is old. */
export function verifyWebhook(secret: string, headers: Record<string, string | undefined>, body: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= toleranceS)) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
  // Two while the secret is rotated.
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

// To try it: verify.ts <id> <timestamp> <signature> < body
if (import.meta.main) {
  const [id, timestamp, signature] = process.argv.slice(2)
  let body = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) body += chunk
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  console.log(verifyWebhook(process.env.WEBHOOK_SECRET ?? '', headers, body) ? 'valid' : 'refused')
}
