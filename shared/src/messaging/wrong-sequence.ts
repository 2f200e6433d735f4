import { NatsError } from 'nats'

/** JetStream's error 10071, "wrong last sequence": the key exists, or was changed since it was read. */
export function isWrongSequence(err: unknown): boolean {
  return err instanceof NatsError && err.api_error?.err_code === 10071
}
