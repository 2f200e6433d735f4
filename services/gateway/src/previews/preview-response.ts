import { setImmediate } from 'node:timers/promises'
import type { PrintedPreview } from './preview-client.ts'

/**
 * Yields the JSON of the fields and of `content`, a file in Base64, in parts: encoding a large file at once would hold
 * the event loop.
 */
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

/** Proxies limit the length of headers. */
const maxHeaderChars = 4_000

/** The result as headers of the file. */
export function headersOf({ pages, warnings }: PrintedPreview): Record<string, string> {
  const listed = [...warnings]
  let text = asciiJson(listed)
  while (text.length > maxHeaderChars) {
    listed.pop()
    text = asciiJson(listed)
  }
  return { 'x-preview-pages': String(pages), 'x-preview-warnings': text }
}

function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
