import { OpenEnum } from '@platen/foundation/json/json.ts'
import { type Static, Type } from 'typebox'
import { errorCodes } from './error-catalogue.ts'

/** Why a request was refused or failed. The same form is used in command replies, events and HTTP responses. */
export const Failure = Type.Object(
  {
    code: OpenEnum(errorCodes, { title: 'ErrorCode' }),
    message: Type.String(),
    details: Type.Optional(
      Type.Unknown({ description: 'depends on the code: for VALIDATION_ERROR a list of `{path, message}`' }),
    ),
  },
  { title: 'Failure' },
)
export type Failure = Static<typeof Failure>
