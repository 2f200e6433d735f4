/** https://tc39.es/proposal-json-parse-with-source/, which the types of the language do not have yet, nor every browser. */
interface SourceJson {
  parse(text: string, revive: (name: string, value: unknown, context: { source?: string }) => unknown): unknown
  rawJSON?(text: string): object
  isRawJSON?(value: unknown): boolean
}
const json = JSON as unknown as SourceJson

/** A text without these has no number that a browser would change. A parse with a function takes several times as long. */
const suspicious = /\d{16}|\d[eE]\+?\d/

/** Like JSON.parse. A number whose digits the browser would change is an object, which JSON.stringify writes as it was. */
export function parseExact(text: string): unknown {
  if (json.rawJSON === undefined || !suspicious.test(text)) return JSON.parse(text)
  return json.parse(text, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined && isChanged(value, source) ? json.rawJSON?.(source) : value,
  )
}

/** Whether it is a number that `parseExact` keeps as an object. */
export const isExactNumber = (value: unknown): boolean => json.isRawJSON?.(value) === true

const isChanged = (value: number, source: string) =>
  !Number.isFinite(value) || (/^-?\d+$/.test(source) && !Number.isSafeInteger(value))
