import { crc32 } from 'node:zlib'
import type { MsgHdrs } from 'nats'

// NATS passes a message from server to server, and to the disk and back, without a checksum that the sender has made. Servers of a cluster
// have been seen to deliver large messages with bytes of others in them: https://github.com/nats-io/nats-server/issues/7842

/** The CRC-32 (ISO 3309) of the payload as its sender has it, in eight hexadecimal digits. */
export const checksumHeader = 'Platen-CRC32'

/** Sets the checksum of a payload. One that is copied from another message keeps that of its first sender. */
export function setChecksum(headers: MsgHdrs, payload: Uint8Array | string): void {
  if (!headers.has(checksumHeader)) headers.set(checksumHeader, checksumOf(payload))
}

/** Whether a payload is what its sender has sent. True without a checksum, as of an older release. */
export function isIntact(headers: MsgHdrs | undefined, payload: Uint8Array): boolean {
  const sent = headers?.get(checksumHeader)
  return !sent || sent === checksumOf(payload)
}

/** Which bytes of a payload are wrong, without their content. Offsets are from 0; absent if only its headers are wrong. */
export interface Damage {
  size: number
  wrong_bytes: number
  first?: number
  last?: number
}

/** Whoever looks for the cause sees from it whether a block or single bytes were replaced. */
export function damageOf(received: Uint8Array, sent: Uint8Array): Damage {
  const isWrong = (byte: number, at: number) => byte !== received[at]
  const wrong_bytes = sent.filter(isWrong).length
  const where = wrong_bytes > 0 && { first: sent.findIndex(isWrong), last: sent.findLastIndex(isWrong) }
  return { size: sent.length, wrong_bytes, ...where }
}

const checksumOf = (payload: Uint8Array | string) => crc32(payload).toString(16).padStart(8, '0')
