import { commandSchema, type Envelope } from '@platen/foundation/command.ts'
import { parseExact } from '@platen/foundation/json/exact-json.ts'
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

/** A message that can never be parsed. Redelivery does not help. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage'
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Returns the parser of a command's wire format. The parser throws MalformedMessage. */
export function commandParser<Command extends TSchema>(command: Command) {
  const schema = Compile(commandSchema(command))
  return (bytes: Uint8Array): Envelope<Static<Command>> => {
    const value = parseJson(bytes)
    if (schema.Check(value)) return value as Envelope<Static<Command>>
    const [first] = schema.Errors(value)
    throw new MalformedMessage(`not a valid command: ${first?.instancePath || '/'} ${first?.message}`)
  }
}

export function parseJson(bytes: Uint8Array): unknown {
  try {
    return parseExact(utf8.decode(bytes))
  } catch (cause) {
    throw new MalformedMessage('not JSON in UTF-8', { cause })
  }
}
