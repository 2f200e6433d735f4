/** The answer to `Page.printToPDF`. */
export interface PrintedAnswer {
  /** The PDF in Base64; empty if the answer has `bytes`. */
  data: string
  bytes?: Buffer
  stream?: string
}

/** Decoded at once: a multiple of four characters. */
const stepChars = 2 ** 20

const beginning = /^\{"id":\d+,"result":\{"data":"/

/**
 * Parses a long answer to `Page.printToPDF` from its bytes. Converting a file of 40 MB to text first would hold the
 * event loop for twice as long.
 */
export function readPrintedAnswer(answer: Buffer): {
  id?: number
  result?: PrintedAnswer
  error?: { message: string }
} {
  const start = beginning.exec(answer.toString('latin1', 0, 64))?.[0].length
  const end = start === undefined ? -1 : answer.indexOf('"', start)
  if (start === undefined || end < 0) return JSON.parse(answer.toString())
  const { result, ...rest } = JSON.parse(answer.toString('latin1', 0, start) + answer.toString('utf8', end))
  return { ...rest, result: { ...result, bytes: decode(answer.subarray(start, end)) } }
}

function decode(base64: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(Math.ceil((base64.length * 3) / 4))
  let length = 0
  for (let at = 0; at < base64.length; at += stepChars) {
    length += bytes.write(base64.toString('latin1', at, at + stepChars), length, 'base64')
  }
  return bytes.subarray(0, length)
}
