import { Ajv, type Options } from 'ajv'
import type { FastifyInstance } from 'fastify'

/** Nothing is converted, dropped or guessed: what is wrong is told. */
const exact: Options = {
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  allErrors: true,
  strict: true,
  // Messages name the allowed fields, which stand in the schema.
  verbose: true,
}

/** Schemas check what comes in; what goes out is typed, and written by JSON.stringify as it is. */
export function addValidation(app: FastifyInstance): void {
  const bodies = new Ajv(exact)
  // The values of a query are text: `limit=5` is the integer 5, `limit=abc` is wrong.
  const texts = new Ajv({ ...exact, coerceTypes: true })
  app.setValidatorCompiler(({ schema, httpPart }) => (httpPart === 'body' ? bodies : texts).compile(schema as object))
  app.setSerializerCompiler(() => JSON.stringify)
}
