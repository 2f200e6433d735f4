import { fail } from '@platen/domain/http/errors.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { hasBlockedPort } from '@platen/foundation/net/blocked-ports.ts'
import { type Resolve, resolvePublic, UrlNotAllowed } from '@platen/foundation/net/public-address.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { invalidField } from '../http/errors/field-problems.ts'

export interface WebhookUrlPolicy {
  webhookAllowPrivate: boolean
  /** The address that the gateway listens on. */
  host: string
}

const lookupTimeoutMs = 3_000

/**
 * Throws VALIDATION_ERROR for text that is not a URL, and WEBHOOK_URL_FORBIDDEN for a URL that is never called, with the
 * same message for every reason but the port.
 */
export async function checkWebhookUrl(text: string, policy: WebhookUrlPolicy, resolve?: Resolve): Promise<void> {
  const url = URL.parse(text) ?? invalidField('webhook_url', 'must be an absolute http or https URL')
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:'
  const hasExtras = url.username !== '' || url.password !== '' || text.includes('#')
  if (isHttp && hasBlockedPort(url)) {
    fail('WEBHOOK_URL_FORBIDDEN', `webhook_url must not have the port ${url.port}, which is one of another protocol`)
  }
  const { webhookAllowPrivate, host } = policy
  if (isHttp && !hasExtras && (webhookAllowPrivate || (await mayBePublic(url.hostname, resolve)))) return
  const kind = webhookAllowPrivate ? 'an http or https URL' : 'a public http or https URL'
  const hint =
    !webhookAllowPrivate && isLoopback(host)
      ? '. To allow private addresses, start Platen with WEBHOOK_ALLOW_PRIVATE=true'
      : ''
  fail('WEBHOOK_URL_FORBIDDEN', `webhook_url must be ${kind} without user name, password or fragment${hint}`)
}

/**
 * Whether the host may be public. True if it does not resolve, because an outage of DNS must not lose a job: each
 * delivery attempt checks the address again.
 */
async function mayBePublic(hostname: string, resolve?: Resolve): Promise<boolean> {
  const timeout = AbortSignal.timeout(lookupTimeoutMs)
  try {
    const lookup = resolvePublic(hostname, { allowPrivate: false, ...defined({ resolve }) })
    await untilAborted(lookup, timeout)
    return true
  } catch (err) {
    return !(err instanceof UrlNotAllowed)
  }
}

/** A server on loopback is most likely a development machine. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}
