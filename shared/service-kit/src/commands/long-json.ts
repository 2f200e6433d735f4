import { randomBytes } from 'node:crypto'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import type { LongText } from '@platen/messaging/connection/long-texts.ts'

/** Stands for the text while the JSON around it is written. It is random, so that no document contains it. */
const mark = randomBytes(18).toString('base64url')

/**
 * JSON of a value with a long text. `valueWith` is called with a mark in place of the text, and the text is written
 * once, at its place. In a JSON text it would be copied three times: when the value is written, when it is put into a
 * message, and when that is encoded.
 */
export function encodeAround(text: string, valueWith: (text: string) => unknown): LongText {
  const [before = '', after = ''] = stringifyExact(valueWith(mark)).split(`"${mark}"`)
  const json = JSON.stringify(text)
  const start = Buffer.byteLength(before)
  const end = start + Buffer.byteLength(json)
  const payload = Buffer.allocUnsafeSlow(end + Buffer.byteLength(after))
  payload.write(before, 0)
  payload.write(json, start)
  payload.write(after, end)
  return { text, payload, start, end }
}

/** JSON of the value, in which a short text stands for the long one. */
export function jsonAround({ payload, start, end }: LongText): Buffer {
  return Buffer.concat([payload.subarray(0, start), Buffer.from('""'), payload.subarray(end)])
}
