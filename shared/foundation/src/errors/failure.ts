/** Why something was refused or failed, in a form that can be sent. */
export interface Failure<Code extends string = string> {
  code: Code
  message: string
  details?: unknown
}

/** A wrong field. `path` is dotted: `options.margin.top`. */
export interface FieldProblem {
  path: string
  message: string
}
