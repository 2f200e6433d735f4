import { type Static, Type } from 'typebox'
import { errorCodes } from './error-catalogue.ts'

/** The body of every error response. */
export const ErrorEnvelope = Type.Object({
  error: Type.Object({
    code: Type.Enum(errorCodes),
    message: Type.String(),
    details: Type.Optional(Type.Unknown()),
  }),
  request_id: Type.String({ examples: ['req_01k9x2v7w3d5e8f0g2h4j6k8m0'] }),
})
export type ErrorEnvelope = Static<typeof ErrorEnvelope>

/** An entry of `error.details` of a VALIDATION_ERROR. `path` is dotted: `options.margin.top`. */
export const FieldProblem = Type.Object({ path: Type.String(), message: Type.String() })
export type FieldProblem = Static<typeof FieldProblem>

export const PageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
}
