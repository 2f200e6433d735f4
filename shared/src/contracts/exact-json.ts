// JSON with integers of any size. Those beyond ±9007199254740991 are a bigint in memory, as a number would change them.

declare global {
  interface BigInt {
    toJSON(): unknown
  }
}

/** https://tc39.es/proposal-json-parse-with-source/, which the types of the language do not have yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

/** Every JSON.stringify of the process writes a bigint as its digits, also that of a client library. */
BigInt.prototype.toJSON = function (this: bigint) {
  return rawJSON(this.toString())
}

/** A shorter text has no integer that a number cannot hold. The digits may also be those of a string. */
const manyDigits = /\d{16}/

/** Like JSON.parse. A text without many digits in a row, which is nearly every one, takes no longer. */
export function parseExact(text: string): unknown {
  return manyDigits.test(text) ? JSON.parse(text, keepInteger) : JSON.parse(text)
}

/** An integer beyond the largest number stays infinite, which the gateway refuses. */
function keepInteger(_name: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || !Number.isFinite(value)) return value
  const source = context?.source ?? ''
  return /^-?\d+$/.test(source) ? BigInt(source) : value
}
