import { randomBytes } from 'node:crypto'
import { algorithm, encode, integer, octetString, readDer, sequence, tags } from './der.ts'

const sha256 = '2.16.840.1.101.3.4.2.1'
const maxResponseBytes = 64 * 1024
const timeoutMs = 10_000

/** A time stamp could not be had. The message is for the operator. */
export class TimeStampFailed extends Error {
  override readonly name = 'TimeStampFailed'
}

/**
 * Asks a time-stamping authority for a token of a SHA-256 hash (RFC 3161, over HTTP as in its section 3.4), with the
 * certificate of the authority in it. The token is for this hash and this request; its signature is not verified here.
 */
export async function requestTimeStamp(url: string, hash: Uint8Array, signal?: AbortSignal): Promise<Buffer> {
  const nonce = randomBytes(8)
  nonce[0] = 0x40 | ((nonce[0] ?? 0) & 0x3f)
  const request = sequence(
    integer(1),
    sequence(algorithm(sha256), octetString(hash)),
    integer(nonce),
    encode(0x01, Uint8Array.of(0xff)),
  )
  const response = await post(url, request, signal)
  try {
    return checkedToken(response, { hash, nonce })
  } catch (cause) {
    if (cause instanceof TimeStampFailed) throw cause
    throw new TimeStampFailed(`${new URL(url).host} has answered with no time stamp`, { cause })
  }
}

async function post(url: string, body: Buffer, signal: AbortSignal | undefined): Promise<Buffer> {
  const { host } = new URL(url)
  const limits = [AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])]
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
      body: new Uint8Array(body),
      redirect: 'error',
      signal: AbortSignal.any(limits),
    })
    if (!answer.ok) throw new TimeStampFailed(`${host} has answered with the status ${answer.status}`)
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of answer.body ?? []) {
      size += chunk.length
      if (size > maxResponseBytes)
        throw new TimeStampFailed(`${host} has answered with more than ${maxResponseBytes} bytes`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } catch (cause) {
    if (cause instanceof TimeStampFailed) throw cause
    signal?.throwIfAborted()
    throw new TimeStampFailed(`${host} cannot be reached`, { cause })
  }
}

/** The token of a granted response (RFC 3161, 2.4.2), whose TSTInfo has the hash and the number of the request. */
function checkedToken(response: Buffer, asked: { hash: Uint8Array; nonce: Buffer }): Buffer {
  const [status, token] = readDer(response).children
  const granted = status?.child(0).number
  if (token === undefined || (granted !== 0 && granted !== 1)) {
    throw new TimeStampFailed(`the time-stamping authority has refused with the status ${granted}`)
  }
  const content = token.child(1).child(0).child(2).child(1).child(0).octets
  const [, , imprint, , , ...rest] = readDer(content).children
  const nonces = rest.filter((each) => each.tag === tags.integer)
  const isSame = imprint?.child(1).octets.equals(asked.hash) && nonces.some((each) => each.content.equals(asked.nonce))
  if (!isSame) throw new TimeStampFailed('the time stamp is not for this signature')
  return Buffer.from(token.encoded)
}
