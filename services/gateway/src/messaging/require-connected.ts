import { type Bus, BusUnavailable } from '@platen/shared/messaging/bus.ts'

/** While it reconnects, the client holds requests back until they time out: whoever asks over HTTP is told at once. */
export function requireConnected({ connected }: Bus): void {
  if (!connected) throw new BusUnavailable('NATS is not connected')
}
