import { setImmediate } from 'node:timers/promises'

/** The JSON of the fields and of `content`, a file in Base64, part by part: that of a large file would hold the event loop. */
export async function* jsonWithContent(fields: object, parts: readonly Uint8Array[]): AsyncGenerator<string> {
  yield `${JSON.stringify(fields).slice(0, -1)},"content":"`
  let rest: Uint8Array = new Uint8Array()
  for (const part of parts) {
    const bytes = Buffer.concat([rest, part])
    // Three bytes are four characters.
    const whole = bytes.length - (bytes.length % 3)
    yield bytes.toString('base64', 0, whole)
    rest = bytes.subarray(whole)
    await setImmediate()
  }
  yield `${Buffer.from(rest).toString('base64')}"}`
}
