import { batchLimits } from '@platen/domain/batch/batch.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { type Arriving, receive } from '../http/bodies/receive.ts'

const newline = 0x0a
const mib = 2 ** 20

/**
 * Yields the lines of a body, with one in memory at a time, without an empty last line. Throws PAYLOAD_TOO_LARGE when a
 * limit is passed, and what `receive` throws. `onBytes` gets all bytes that are read.
 */
export async function* readLines(body: Arriving, onBytes: (bytes: Buffer) => void): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  let restBytes = 0
  let lines = 0
  const take = (last: Buffer) => {
    const line = rest.length === 0 ? last : Buffer.concat([...rest, last])
    rest = []
    restBytes = 0
    lines += 1
    if (lines > batchLimits.items) {
      fail('PAYLOAD_TOO_LARGE', `A batch may have at most ${batchLimits.items} items`)
    }
    return checkLine(line.length, lines) && line
  }
  const tooLarge = () =>
    fail('PAYLOAD_TOO_LARGE', `The items of a batch may have at most ${batchLimits.bytes / mib} MiB`)
  for await (const chunk of receive(body, { maxBytes: batchLimits.bytes, tooLarge })) {
    onBytes(chunk)
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      yield take(chunk.subarray(start, end))
      start = end + 1
    }
    if (start === chunk.length) continue
    rest.push(Buffer.from(chunk.subarray(start)))
    restBytes += chunk.length - start
    checkLine(restBytes, lines + 1)
  }
  if (restBytes > 0) yield take(Buffer.alloc(0))
}

function checkLine(bytes: number, line: number): true {
  if (bytes > batchLimits.lineBytes) {
    fail('PAYLOAD_TOO_LARGE', `Line ${line} is larger than ${batchLimits.lineBytes / mib} MiB`)
  }
  return true
}
