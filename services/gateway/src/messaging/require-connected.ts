import { type Bus, BusUnavailable } from '@platen/shared/messaging/bus.ts'

/** Fails fast: while it reconnects, the NATS client buffers requests until they time out. Throws BusUnavailable. */
export function requireConnected({ connected }: Bus): void {
  if (!connected) throw new BusUnavailable('NATS is not connected')
}
