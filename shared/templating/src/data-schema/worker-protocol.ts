/** A place in a JSON value, such as `items[2].price`; empty for the value itself. */
export interface DataProblem {
  path: string
  message: string
}

/** A schema, and JSON texts that must match it. Without texts only the schema is checked. */
export interface SchemaTask {
  /** JSON of the schema. */
  schema: string
  texts: readonly string[]
  /** The schema is being saved: words without an effect are refused. */
  saving?: boolean
}

/** `schema`: the schema itself is not valid. `texts`: the problems of each text. */
export type SchemaResult = { schema: readonly DataProblem[] } | { texts: DataProblem[][] }
