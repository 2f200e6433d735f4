import { type Static, type TSchema, Type } from 'typebox'
import { Timestamp } from './json.ts'

/** What every command carries beside its type and data. */
export const CommandMetadata = Type.Object({
  /** UUID. Event ids derive from it, so a redelivered command appends nothing twice. */
  id: Type.String({ minLength: 1 }),
  /** When the gateway accepted it: the only clock a decider knows. */
  time: Timestamp,
  /** The request id (`req_…`). */
  correlation_id: Type.String(),
  traceparent: Type.Optional(Type.String()),
})
export type CommandMetadata = Static<typeof CommandMetadata>

/** The wire form of a command: `{type, data, metadata}`. */
export const commandSchema = <Command extends TSchema>(command: Command) =>
  Type.Intersect([command, Type.Object({ metadata: CommandMetadata })])

export type Envelope<Command> = Command & { metadata: CommandMetadata }
