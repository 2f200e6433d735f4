import { type Static, Type } from 'typebox'
import { Failure } from './failure.ts'

/** The body of every error response. */
export const ErrorEnvelope = Type.Object({
  error: Failure,
  request_id: Type.String({ examples: ['req_01k9x2v7w3d5e8f0g2h4j6k8m0'] }),
})
export type ErrorEnvelope = Static<typeof ErrorEnvelope>

/** An entry of `error.details` of a VALIDATION_ERROR. `path` is dotted: `options.margin.top`. */
export const FieldProblem = Type.Object({ path: Type.String(), message: Type.String() })
export type FieldProblem = Static<typeof FieldProblem>
