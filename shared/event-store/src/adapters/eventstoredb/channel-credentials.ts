import { type ChannelCredentials, credentials } from '@grpc/grpc-js'
import type { EventStoreDbConnection } from './url.ts'

/** Credentials for calls that the client library does not offer. */
export function channelCredentials(tls: EventStoreDbConnection['tls']): ChannelCredentials {
  return tls ? credentials.createSsl(tls.ca ?? null, tls.key ?? null, tls.cert ?? null) : credentials.createInsecure()
}
