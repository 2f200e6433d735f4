import { type Static, type TSchema, Type } from 'typebox'
import { Timestamp } from './json/json.ts'

/** The metadata of every command. */
export const CommandMetadata = Type.Object({
  /** UUID. Event ids derive from it, so that a redelivered command appends no event twice. */
  id: Type.String({ minLength: 1 }),
  /** When the gateway accepted the command. Deciders use this instead of a clock. */
  time: Timestamp,
  /** The request id (`req_…`). */
  correlation_id: Type.String(),
  traceparent: Type.Optional(Type.String()),
  /** The API key of the request. Keys share what handles commands. */
  api_key_id: Type.Optional(Type.String()),
  /** After this time the client has received an error, so the handler refuses the command. */
  deadline: Type.Optional(Timestamp),
})
export type CommandMetadata = Static<typeof CommandMetadata>

export function isPastDeadline({ deadline }: Pick<CommandMetadata, 'deadline'>, nowMs: number): boolean {
  return deadline !== undefined && nowMs > Date.parse(deadline)
}

/** The wire format of a command: `{type, data, metadata}`. */
export const commandSchema = <Command extends TSchema>(command: Command) =>
  Type.Intersect([command, Type.Object({ metadata: CommandMetadata })])

export type Envelope<Command> = Command & { metadata: CommandMetadata }
