/** A long text, and its JSON. */
export interface KnownJson {
  text: string
  json: Uint8Array
}

/** A shorter message is copied in less time than its parts are written. */
const longChars = 32 * 1024

/** The parts of a message. Known JSON is not written again, and a long message is not copied to append its end. */
export function messageParts(
  message: { id: number; method: string; params: unknown; sessionId: string | undefined },
  known: KnownJson | undefined,
): (string | Uint8Array)[] {
  const field = known && fieldOf(message.params, known.text)
  if (known && field !== undefined) {
    const { params, ...rest } = message
    const { [field]: _, ...others } = params as Record<string, unknown>
    const [head, tail] = [JSON.stringify(rest), JSON.stringify(others)].map((json) => json.slice(0, -1))
    return [`${head},"params":${tail}${tail === '{' ? '' : ','}${JSON.stringify(field)}:`, known.json, '}}\0']
  }
  const json = JSON.stringify(message)
  return json.length < longChars ? [`${json}\0`] : [json, '\0']
}

/** The field that has the text. */
function fieldOf(params: unknown, text: string): string | undefined {
  return Object.entries(params ?? {}).find(([, value]) => value === text)?.[0]
}
