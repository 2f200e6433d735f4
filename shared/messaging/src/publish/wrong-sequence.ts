import { NatsError } from 'nats'

/** JetStream's error 10071, "wrong last sequence": the key exists, or was changed since it was read. */
export function isWrongSequence(err: unknown): boolean {
  return err instanceof NatsError && err.api_error?.err_code === 10071
}

/** "Wrong last sequence" while another write of the key is under way, and "duplicate message id is in process". */
const inProcess = [10164, 10158]

/** In a cluster, a replica stores messages some time after it has checked them. What becomes of the other one is open. */
export function isWriteInProcess(err: unknown): boolean {
  return err instanceof NatsError && inProcess.includes(err.api_error?.err_code ?? 0)
}
