import { type ChannelCredentials, credentials } from '@grpc/grpc-js'
import type { EventStoreDbConnection } from './url.ts'

/** For calls that the client does not have. */
export function channelCredentials(tls: EventStoreDbConnection['tls']): ChannelCredentials {
  return tls ? credentials.createSsl(tls.ca ?? null, tls.key ?? null, tls.cert ?? null) : credentials.createInsecure()
}
