import { NatsError } from 'nats'

/** JetStream's error 10071, "wrong last sequence": the key exists, or was changed since it was read. */
export function isWrongSequence(err: unknown): boolean {
  return err instanceof NatsError && err.api_error?.err_code === 10071
}

/**
 * JetStream's error 10077, a failure to store, whose reason is only in its text: the stream holds as many bytes as it may, which
 * says nothing of the disk.
 */
export function isOfFullStream(err: unknown): boolean {
  if (!(err instanceof NatsError)) return false
  const { err_code, description = '' } = err.api_error ?? {}
  return err_code === 10077 && description.includes('maximum bytes exceeded')
}

/** "Wrong last sequence" while another write of the key is under way, and "duplicate message id is in process". */
const inProcess = [10164, 10158]

/**
 * Whether another write of the key or id is still in progress, with an unknown outcome. In a cluster, a replica stores
 * a message some time after it has checked it.
 */
export function isWriteInProcess(err: unknown): boolean {
  return err instanceof NatsError && inProcess.includes(err.api_error?.err_code ?? 0)
}
