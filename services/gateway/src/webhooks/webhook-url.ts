import { hasBlockedPort } from '@platen/shared/net/blocked-ports.ts'
import { type Resolve, resolvePublic } from '@platen/shared/net/public-address.ts'
import { fail } from '@platen/shared/runtime/errors.ts'
import { untilAborted } from '@platen/shared/runtime/until-aborted.ts'
import { invalidField } from '../http/errors/invalid-field.ts'

export interface WebhookUrlPolicy {
  webhookAllowPrivate: boolean
  /** The address that the gateway listens on. */
  host: string
}

const lookupTimeoutMs = 3_000

/**
 * Throws VALIDATION_ERROR for text that is not a URL, and WEBHOOK_URL_FORBIDDEN for a URL that is never called. The
 * message is the same for every reason, so that it does not reveal which names the deployment's network resolves.
 */
export async function checkWebhookUrl(text: string, policy: WebhookUrlPolicy, resolve?: Resolve): Promise<void> {
  const url = URL.parse(text) ?? invalidField('webhook_url', 'must be an absolute http or https URL')
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:'
  const hasExtras = url.username !== '' || url.password !== '' || text.includes('#')
  if (isHttp && hasBlockedPort(url)) {
    fail('WEBHOOK_URL_FORBIDDEN', `webhook_url must not have the port ${url.port}, which is one of another protocol`)
  }
  if (isHttp && !hasExtras && (policy.webhookAllowPrivate || (await mayBePublic(url.hostname, resolve)))) return
  const hint = isLoopback(policy.host)
    ? '. To allow private addresses, start Platen with WEBHOOK_ALLOW_PRIVATE=true'
    : ''
  fail(
    'WEBHOOK_URL_FORBIDDEN',
    `webhook_url must be a public http or https URL without user name, password or fragment${hint}`,
  )
}

/** True also if name resolution is unavailable: each delivery attempt checks the address again. */
async function mayBePublic(hostname: string, resolve?: Resolve): Promise<boolean> {
  const timeout = AbortSignal.timeout(lookupTimeoutMs)
  try {
    const lookup = resolvePublic(hostname, { allowPrivate: false, ...(resolve && { resolve }) })
    return (await untilAborted(lookup, timeout)).length > 0
  } catch (err) {
    return err === timeout.reason || (err instanceof Error && 'code' in err && err.code === 'EAI_AGAIN')
  }
}

/** A server on loopback is most likely a development machine. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}
