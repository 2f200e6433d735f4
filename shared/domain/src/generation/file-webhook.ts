import { type Static, Type } from 'typebox'

const Method = Type.Union([Type.Literal('POST'), Type.Literal('PUT'), Type.Literal('PATCH')])
export type WebhookMethod = Static<typeof Method>

/** A webhook that gets the file of a generation, or why there is none, as clients of Gotenberg ask for it. */
export const FileWebhook = Type.Object({
  /** Gets the file. */
  url: Type.String(),
  method: Method,
  /** Gets the status and message of a failure, as JSON. */
  error_url: Type.Optional(Type.String()),
  error_method: Method,
  /** Gets an event of either end, as JSON. */
  events_url: Type.Optional(Type.String()),
  /** Sent with each request. */
  headers: Type.Record(Type.String(), Type.String()),
  trace: Type.String(),
  /** The name of the file, without its extension. */
  file_name: Type.String(),
  /** The values of the request that messages quote. */
  quoted: Type.Record(Type.String(), Type.String()),
})
export type FileWebhook = Static<typeof FileWebhook>
