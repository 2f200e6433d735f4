import { Ajv, type Options } from 'ajv'
import type { FastifyInstance } from 'fastify'

/** No value is converted, removed or defaulted. Invalid input is reported. */
const strictOptions: Options = {
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  allErrors: true,
  strict: true,
  // Error messages list the allowed fields, which Ajv takes from the schema.
  verbose: true,
}

/** Requests are validated by their schemas. Responses are typed and need no schema at run time. */
export function addValidation(app: FastifyInstance): void {
  const bodies = newAjv({})
  // Query values are text: `limit=5` becomes the integer 5, `limit=abc` is invalid.
  const texts = newAjv({ coerceTypes: true })
  app.setValidatorCompiler(({ schema, httpPart }) => (httpPart === 'body' ? bodies : texts).compile(schema as object))
  app.setSerializerCompiler(() => JSON.stringify)
}

function newAjv(options: Options): Ajv {
  // A vendor keyword: @fastify/swagger takes the named examples of a request body from it.
  return new Ajv({ ...strictOptions, ...options }).addVocabulary(['x-examples'])
}
