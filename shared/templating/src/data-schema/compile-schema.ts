import type { JsonObject } from '@platen/foundation/json/json.ts'
import { Ajv2020, type AnySchemaObject, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describeProblem } from './describe-problem.ts'
import { linearRegExp } from './linear-reg-exp.ts'
import { schemaProblem } from './schema-problem.ts'
import type { DataProblem } from './worker-protocol.ts'

/** Lists the problems of a value, at most 20; none if it matches. */
export type CheckData = (data: unknown) => DataProblem[]

const maxProblems = 20
const metaSchema = new Ajv2020({ strict: false, allErrors: false })

/** A schema that cannot be used, with the place in it. */
export class InvalidSchema extends Error {
  readonly problem: DataProblem

  constructor(problem: DataProblem) {
    super(problem.message)
    this.problem = problem
  }
}

/**
 * Compiles a JSON Schema (2020-12). Throws InvalidSchema for what is not one, for references to other documents and for
 * patterns that take more than linear time.
 */
export function compileSchema(schema: JsonObject): CheckData {
  const problem = schemaProblem(schema) ?? keywordProblem(schema)
  if (problem) throw new InvalidSchema(problem)
  // Stops at the first problem, so that data with very many does not take long. An instance of its own: schemas share no $id.
  const { $schema: _, ...rest } = schema
  const validate = compile(rest)
  return (data) => (validate(data) ? [] : problemsOf(validate.errors ?? []))
}

function keywordProblem(schema: AnySchemaObject): DataProblem | undefined {
  const { $schema: _, ...rest } = schema
  if (metaSchema.validateSchema(rest)) return undefined
  const [first] = metaSchema.errors ?? []
  return first ? describeProblem(first) : { path: '', message: 'is not a JSON Schema' }
}

function compile(schema: AnySchemaObject): ValidateFunction {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: false,
    validateSchema: false,
    meta: false,
    logger: false,
    code: { regExp: linearRegExp },
  })
  addFormats.default(ajv)
  try {
    return ajv.compile(schema)
  } catch (err) {
    // Ajv follows references without an end, until the stack has one.
    const reason = err instanceof RangeError ? 'its references form a circle or a long chain' : (err as Error).message
    throw new InvalidSchema({ path: '', message: `cannot be used: ${reason}` })
  }
}

function problemsOf(errors: readonly ErrorObject[]): DataProblem[] {
  const problems = errors.slice(0, maxProblems).map(describeProblem)
  return problems.filter(({ path }, index) => problems.findIndex((other) => other.path === path) === index)
}
