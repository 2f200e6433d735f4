import { type Static, Type } from 'typebox'
import { errorCodes } from './error-code.ts'

/** Why something was refused or failed, as commands answer it, events record it and HTTP sends it. */
export const Failure = Type.Object({
  code: Type.Enum([...errorCodes]),
  message: Type.String(),
  details: Type.Optional(Type.Unknown()),
})
export type Failure = Static<typeof Failure>
