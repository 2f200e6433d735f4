import { resolvePublic } from '@platen/shared/net/public-address.ts'
import { fail } from '@platen/shared/runtime/errors.ts'
import { invalidField } from '../http/errors/invalid-field.ts'
import { within } from '../messaging/within.ts'

const resolveWithinMs = 3_000

/**
 * Throws VALIDATION_ERROR for what is no URL, and WEBHOOK_URL_FORBIDDEN for one we do not call: the same text for every
 * cause, so that nobody learns from it which names our network knows.
 */
export async function checkWebhookUrl(text: string, { allowPrivate }: { allowPrivate: boolean }): Promise<void> {
  const url = URL.parse(text) ?? invalidField('webhook_url', 'must be an absolute http or https address')
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:'
  const isPlain = url.username === '' && url.password === '' && !text.includes('#')
  if (isHttp && isPlain && (await isReachable(url.hostname, allowPrivate))) return
  fail(
    'WEBHOOK_URL_FORBIDDEN',
    'webhook_url must be an http or https address of the public internet, without user name, password and fragment',
  )
}

/** Where private addresses are allowed there is nothing to hide: a name that nobody knows yet may be known at delivery. */
async function isReachable(hostname: string, allowPrivate: boolean): Promise<boolean> {
  if (allowPrivate) return true
  const addresses = await within(
    resolveWithinMs,
    resolvePublic(hostname, { allowPrivate }).catch(() => undefined),
  )
  return addresses !== undefined && addresses.length > 0
}
