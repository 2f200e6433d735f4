import { type Static, Type } from 'typebox'
import { errorCodes } from './error-catalogue.ts'

/** Why a request was refused or failed. The same form is used in command replies, events and HTTP responses. */
export const Failure = Type.Object({
  code: Type.Enum(errorCodes),
  message: Type.String(),
  details: Type.Optional(Type.Unknown()),
})
export type Failure = Static<typeof Failure>
