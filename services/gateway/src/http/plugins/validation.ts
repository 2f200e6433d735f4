import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import { type Json, openValues, statedRules, valueNames } from '@platen/foundation/json/json.ts'
import {
  Ajv,
  type AnySchemaObject,
  type ErrorObject,
  type FuncKeywordDefinition,
  type Options,
  type ValidateFunction,
} from 'ajv'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { type BodySchema, excerpt } from '../bodies/excerpt.ts'
import { fieldProblems, validationError } from '../errors/field-problems.ts'

/** No value is converted, removed or defaulted. Invalid input is reported. */
const strictOptions: Options = {
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  strict: true,
  // Error messages list the allowed fields, which Ajv takes from the schema.
  verbose: true,
}

/** Requests are validated by their schemas. Responses are typed and need no schema at run time. */
export const validation = fp(
  async (app) => {
    app.setValidatorCompiler(({ schema, httpPart }) =>
      httpPart === 'body' ? compile(bodies, schema as AnySchemaObject) : compileTexts(texts, schema as AnySchemaObject),
    )
    app.setSerializerCompiler(() => (value) => stringifyExact(value))
    app.addHook('onRoute', ({ url, schema }) => {
      // The API reference and the pages of the studio have query parameters of their own.
      if (schema && !schema.querystring && !/^\/(docs|studio)/.test(url)) schema.querystring = noParameters
    })
    // A parameter that is sent in a JSON body instead of the URL would be ignored without this check.
    app.addHook('preValidation', async ({ body, is404, routeOptions }) => {
      if (is404 || routeOptions.schema?.body || typeof body !== 'object' || body === null) return
      const problems = Object.keys(body).map((path) => ({ path, message: 'is not known: this request takes no body' }))
      if (problems.length > 0) throw validationError(problems.slice(0, maxUnknownFields), 'the body')
    })
  },
  { name: 'validation' },
)

/** A body of many fields is not answered with as many problems. */
const maxUnknownFields = 10

/** Checks a value that was made of a body as if it were the body. Throws VALIDATION_ERROR. */
export function checkAgain(request: FastifyRequest, schema: AnySchemaObject, value: unknown): void {
  const result: unknown = request.compileValidationSchema(schema, 'body')(value)
  const errors = typeof result === 'object' && result !== null && 'error' in result ? result.error : []
  const problems = fieldProblems(errors as ErrorObject[], 'body')
  if (problems.length > 0) throw validationError(problems, 'the body')
}

const noParameters = { type: 'object', additionalProperties: false, properties: {} }

interface Validators {
  /** Stops at the first problem. */
  first: Ajv
  all: Ajv
  /** By the JSON of their schemas, for all servers of the process. */
  compiled: Map<string, Validator>
}

interface Validator {
  isValid: ValidateFunction
  listProblems?: ValidateFunction
}

function validators(options: Options): Validators {
  const create = (allErrors: boolean) =>
    // Keywords for the OpenAPI document: @fastify/swagger takes the named examples of a request body from the first one, and how a
    // query parameter is written from the next two.
    new Ajv({ ...strictOptions, ...options, allErrors }).addVocabulary([
      'x-examples',
      'style',
      'explode',
      statedRules,
      openValues,
      valueNames,
    ])
  const first = create(false)
  for (const keyword of quickLengths) first.removeKeyword(String(keyword.keyword)).addKeyword(keyword)
  return { first, all: create(true), compiled: new Map() }
}

/**
 * JSON Schema counts characters, which have one or two code units each. Counting those of a long document takes a
 * millisecond, and the number of code units nearly always decides.
 */
const quickLengths = [
  ofText('maxLength', (limit, text) => text.length <= limit || (text.length <= 2 * limit && count(text) <= limit)),
  ofText('minLength', (limit, text) => text.length >= 2 * limit - 1 || (text.length >= limit && count(text) >= limit)),
]

const count = (text: string) => [...text].length

function ofText(keyword: string, validate: (limit: number, text: string) => boolean): FuncKeywordDefinition {
  return { keyword, type: 'string', schemaType: 'number', errors: false, validate }
}

/** Ajv also takes `0x10`, ` ` and `1e400` as integers; the last one is infinite and within any limits. */
function compileTexts(texts: Validators, schema: AnySchemaObject) {
  const validate = compile(texts, schema)
  const integers = Object.entries<{ type?: string }>(schema.properties ?? {}).flatMap(([name, { type }]) =>
    type === 'integer' ? [name] : [],
  )
  return (value: Record<string, unknown>) => {
    const wrong = integers.filter((name) => typeof value[name] === 'string' && !/^-?\d{1,300}$/.test(value[name]))
    return wrong.length === 0 ? validate(value) : { error: wrong.map((name) => notAnInteger(name, value[name])) }
  }
}

function notAnInteger(name: string, data: unknown): ErrorObject {
  return { keyword: 'type', instancePath: `/${name}`, schemaPath: '', params: { type: 'integer' }, data }
}

/**
 * Reports the problems of an invalid value. The time does not grow with very many problems. A schema is compiled by the first request
 * that needs it: all of them together would take half of the processor time of a start.
 */
function compile(validators: Validators, schema: AnySchemaObject) {
  let validator: Validator | undefined
  return (value: unknown) => {
    validator ??= validatorOf(validators, schema)
    const { isValid } = validator
    if (isValid(value)) return true
    const { errors } = isValid
    validator.listProblems ??= validators.all.compile(schema)
    const { listProblems } = validator
    return { error: (listProblems(excerpt(schema as BodySchema, value as Json)) ? errors : listProblems.errors) ?? [] }
  }
}

function validatorOf({ first, compiled }: Validators, schema: AnySchemaObject): Validator {
  const json = JSON.stringify(schema)
  const validator = compiled.get(json) ?? { isValid: first.compile(schema) }
  compiled.set(json, validator)
  return validator
}

const bodies = validators({})
/** Query values are text: `limit=5` becomes the integer 5, `limit=abc` is invalid. */
const texts = validators({ coerceTypes: true })
