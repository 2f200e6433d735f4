import { isJsonObject } from '@platen/foundation/json/is-json-object.ts'

/**
 * A message for subscribers. URLs in it lose user names, passwords, queries and fragments, which may contain signatures
 * and tokens: `https://host/logo.png?sig=1: not found` becomes `https://host/logo.png?…: not found`.
 */
export function redactUrls(text: string): string {
  return text
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#"'<>]*@/gi, '$1')
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/[^\s?#"'<>]*)([?#])[^\s"'<>]*?(?=:?(?:\s|$|["'<>]))/gi, '$1$2…')
}

/** The response of a receiver, which may quote the requested path: `no /hook?token=1` becomes `no /hook?…`. */
export function redactResponse(response: string): string {
  return redactUrls(response).replace(/\?[\w.~%+-]+=[^\s"'<>]*/g, '?…')
}

/**
 * The value with each text in it as `redactUrls` shows it, and without the values of webhook headers, any of which may be a password of
 * the receiver: `{"headers": {"authorization": "…"}}`. However deep. A value with nothing to hide is returned as it is.
 */
export function redactAll<Value>(value: Value): Value
export function redactAll(value: unknown): unknown {
  if (typeof value === 'string') return redactUrls(value)
  if (typeof value !== 'object' || value === null) return value
  let copy: object | undefined
  for (const name of Object.keys(value)) {
    const item: unknown = Reflect.get(value, name)
    const shown = name === 'headers' && isJsonObject(item) ? withoutValues(item) : redactAll(item)
    if (shown === item) continue
    copy ??= Array.isArray(value) ? [...value] : { ...value }
    Reflect.set(copy, name, shown)
  }
  return copy ?? value
}

const withoutValues = (headers: object) => Object.fromEntries(Object.keys(headers).map((name) => [name, '…']))

const place = /^[\w ]+, line \d+, column \d+: /
const failOn = /^options\.fail_on: [A-Z_]+/

/** Messages with these codes quote the source or the data of a document. */
const withoutContent: Partial<Record<string, string>> = {
  TEMPLATE_SYNTAX_ERROR: 'the template cannot be compiled',
  TEMPLATE_RENDER_ERROR: 'the template cannot be filled with this data',
  CONSOLE_ERROR: 'a script of the document has reported an error',
}

/**
 * The message of an error or warning without content of the document, because subscribers read the events of all
 * owners. `html, line 3, column 5: formatCurrency: "abc" is not a number` becomes `html, line 3, column 5: the template
 * cannot be …`.
 */
export function publicMessage(code: string, message: string): string {
  const general = withoutContent[code]
  if (general === undefined) return redactUrls(failOn.exec(message)?.[0] ?? message)
  return `${place.exec(message)?.[0] ?? ''}${general}`
}
