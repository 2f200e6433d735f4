import type { Readable } from 'node:stream'
import type { DeliveryScheduled } from '@platen/domain/delivery/delivery-events.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import type { Signing } from '@platen/service-kit/signing/signing.ts'
import { BodyUnavailable } from '../webhook/body-unavailable.ts'
import type { StreamedBody } from '../webhook/send-streamed.ts'
import { signParts, webhookHeaders } from '../webhook/sign.ts'
import { signingSecrets } from '../webhook/signing-secrets.ts'
import { userAgent } from '../webhook/user-agent.ts'

interface Signed {
  store: EventStore
  signing: Signing
  now: () => number
  /** Undefined if the file was deleted. */
  readFile: (key: string) => Promise<Readable | undefined>
}

/** The request of an attempt. Undefined if its file was deleted. Throws BodyUnavailable if that cannot be read. */
export async function signedRequest(
  { store, signing, now, readFile }: Signed,
  { id, delivery }: { id: string; delivery: DeliveryScheduled['data'] },
) {
  const { url, method, owner_id: ownerId, object_key, body } = delivery
  const nowMs = now()
  const secrets = await signingSecrets({ store, signing, ownerId, nowMs })
  const message = { id, timestampS: Math.floor(nowMs / 1_000), secrets }
  const signed =
    object_key === undefined
      ? { body, headers: webhookHeaders({ ...message, body }) }
      : await signedFile(message, () => readFile(object_key))
  if (!signed) return undefined
  const headers = {
    'content-type': 'application/json',
    'user-agent': userAgent,
    ...delivery.headers,
    ...signed.headers,
  }
  return { url, method, headers, body: signed.body }
}

/** The file is read twice, as its signature is sent before it and many files do not fit into memory. Undefined if it was deleted. */
async function signedFile(
  message: Parameters<typeof signParts>[0],
  read: () => Promise<Readable | undefined>,
): Promise<{ headers: Record<string, string>; body: StreamedBody } | undefined> {
  try {
    const first = await read()
    if (!first) return undefined
    const { headers, size } = await signParts(message, first)
    const content = await read()
    return content && { headers, body: { size, content } }
  } catch (cause) {
    throw new BodyUnavailable({ cause })
  }
}
