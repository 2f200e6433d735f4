import { step } from '@platen/foundation/json/compare-json.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import { Ajv2020, type AnySchemaObject, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { linearRegExp } from './linear-reg-exp.ts'
import { schemaProblem } from './schema-problem.ts'
import { uncheckedWords } from './schema-words.ts'
import type { DataProblem } from './worker-protocol.ts'

/** An error of Ajv with a path such as `items[2].price`. */
function describeProblem({ instancePath, keyword, params, message = 'is not valid' }: ErrorObject): DataProblem {
  const path = pathOf(instancePath)
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
      return { path: step(path, String(params.missingProperty)), message: 'is required' }
    case 'additionalProperties':
      return { path: step(path, String(params.additionalProperty)), message: 'is not in the schema' }
    case 'unevaluatedProperties':
      return { path: step(path, String(params.unevaluatedProperty)), message: 'is not in the schema' }
    case 'type':
      return { path, message: `must be ${[params.type].flat().map(article).join(' or ')}` }
    case 'enum':
      return { path, message: `must be one of ${listed(params.allowedValues)}` }
    case 'const':
      return { path, message: `must be ${written(params.allowedValue)}` }
    case 'format':
      return { path, message: `must be ${article(params.format)}` }
    default:
      return { path, message: cut(message) }
  }
}

/** A schema may have values and patterns of its whole size, which a message need not repeat. */
const maxChars = 200
const maxListed = 20

const cut = (text: string) => (text.length > maxChars ? `${text.slice(0, maxChars)}…`.toWellFormed() : text)

const written = (value: unknown) => cut(JSON.stringify(value))

function listed(values: readonly unknown[]): string {
  const more = values.length > maxListed ? `, and ${values.length - maxListed} more` : ''
  return `${cut(values.slice(0, maxListed).map(written).join(', '))}${more}`
}

const article = (type: string) => (type === 'null' ? 'null' : `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`)

/** `/items/2/price` (RFC 6901) → `items[2].price`. */
function pathOf(pointer: string): string {
  const names = pointer.split('/').slice(1)
  return names
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, name) => (/^\d+$/.test(name) ? `${path}[${name}]` : step(path, name)), '')
}

/** Lists the problems of a value, at most 20; none if it matches. `chars`: the length of its JSON. */
export type CheckData = (data: unknown, chars?: number) => DataProblem[]

const maxProblems = 20
const metaSchema = new Ajv2020({ strict: false, allErrors: true })
const checkedFormats = Object.keys(addFormats.default(new Ajv2020()).formats).sort()

/** A schema that cannot be used, with the places in it. */
export class InvalidSchema extends Error {
  readonly problems: readonly DataProblem[]

  constructor(problems: readonly DataProblem[]) {
    super(problems[0]?.message)
    this.problems = problems
  }
}

/** Only the first problem of larger data is reported, because finding all of them may take long. */
const maxCharsForAll = 256 * 1024

export interface CompileOptions {
  /** The schema is being saved: words without an effect are refused. */
  saving?: boolean
}

/**
 * Compiles a JSON Schema (2020-12). Throws InvalidSchema for what is not one, for references to other documents and for
 * patterns that take more than linear time.
 */
export function compileSchema(schema: JsonObject, { saving = false }: CompileOptions = {}): CheckData {
  const problem = schemaProblem(schema)
  if (problem) throw new InvalidSchema([problem])
  // An instance of its own: schemas share no $id.
  const { $schema: _, ...rest } = schema
  const problems = [...keywordProblems(rest), ...(saving ? uncheckedWords(rest, checkedFormats) : [])]
  if (problems.length > 0) throw new InvalidSchema(problems.slice(0, maxProblems))
  const validate = compile(rest, { allErrors: false })
  let validateAll: ValidateFunction | undefined
  return (data, chars = 0) => {
    if (validate(data)) return []
    if (chars > maxCharsForAll) return problemsOf(validate.errors ?? [])
    validateAll ??= compile(rest, { allErrors: true })
    validateAll(data)
    return problemsOf(validateAll.errors ?? [])
  }
}

function keywordProblems(schema: AnySchemaObject): DataProblem[] {
  if (metaSchema.validateSchema(schema)) return []
  const problems = problemsOf(metaSchema.errors ?? [])
  return problems.length > 0 ? problems : [{ path: '', message: 'is not a JSON Schema' }]
}

function compile(schema: AnySchemaObject, { allErrors }: { allErrors: boolean }): ValidateFunction {
  const ajv = new Ajv2020({
    strict: false,
    allErrors,
    validateSchema: false,
    meta: false,
    logger: false,
    // Else a field named `constructor` would be in each object.
    ownProperties: true,
    code: { regExp: linearRegExp },
  })
  addFormats.default(ajv)
  try {
    return ajv.compile(schema)
  } catch (err) {
    // Ajv follows references without an end, until the stack has one.
    const reason = err instanceof RangeError ? 'its references form a circle or a long chain' : (err as Error).message
    throw new InvalidSchema([{ path: '', message: `cannot be used: ${reason}` }])
  }
}

/** Lists each place once, without errors that only repeat that a part of the value is wrong. */
function problemsOf(errors: readonly ErrorObject[]): DataProblem[] {
  const problems: DataProblem[] = []
  const paths = new Set<string>()
  for (const error of errors) {
    const problem = describeProblem(error)
    if (paths.has(problem.path)) continue
    paths.add(problem.path)
    problems.push(problem)
    if (problems.length === maxProblems) break
  }
  return problems
}
