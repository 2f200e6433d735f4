import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { ErrorCode, NatsError } from 'nats'

/** NATS cannot be reached or did not answer in time. */
export class BusUnavailable extends DependencyUnavailable {
  override readonly name = 'BusUnavailable'
}

/** The server is connected, and its JetStream does not answer yet: it has no quorum, or waits for its disk. */
export class JetStreamSilent extends BusUnavailable {}

/** A bucket holds as many bytes as it may. What is written to it is refused until keys are deleted or expire. */
export class BucketFull extends BusUnavailable {}

const unavailable: string[] = [
  ErrorCode.Timeout,
  ErrorCode.NoResponders,
  ErrorCode.ConnectionClosed,
  ErrorCode.ConnectionDraining,
  ErrorCode.Disconnect,
]

export const isDisconnect = (err: unknown) => err instanceof NatsError && err.code === ErrorCode.Disconnect

/** Converts errors of a missing connection or answer, and of a failing server, to BusUnavailable. Returns others unchanged. */
export function asBusUnavailable(err: unknown): unknown {
  if (!(err instanceof NatsError)) return err
  const isFault = unavailable.includes(err.code) || (err.api_error?.code ?? Number(err.code)) >= 500
  return isFault ? new BusUnavailable(`NATS does not answer: ${err.message}`, { cause: err }) : err
}
