import { step } from '@platen/foundation/json/compare-json.ts'
import { linearRegExp } from './linear-reg-exp.ts'
import type { DataProblem } from './worker-protocol.ts'

const dialect = 'https://json-schema.org/draft/2020-12/schema'
const maxDepth = 32
/** Compiling a schema of this size takes less than the time limit. */
const maxValues = 5_000

/** The first keyword of a schema that is refused although JSON Schema allows it, or undefined. */
export function schemaProblem(schema: unknown): DataProblem | undefined {
  return new Inspection().problemIn(schema, '', 0)
}

class Inspection {
  #values = 0

  problemIn(value: unknown, path: string, depth: number): DataProblem | undefined {
    if (depth > maxDepth) return { path, message: `is nested deeper than ${maxDepth} levels` }
    this.#values += 1
    if (this.#values > maxValues) return { path: '', message: `has more than ${maxValues} values` }
    if (typeof value !== 'object' || value === null) return undefined
    for (const [name, inner] of Object.entries(value)) {
      const at = Array.isArray(value) ? `${path}[${name}]` : step(path, name)
      const problem = keywordProblem(name, inner, at, depth) ?? this.problemIn(inner, at, depth + 1)
      if (problem) return problem
    }
    return undefined
  }
}

function keywordProblem(name: string, value: unknown, path: string, depth: number): DataProblem | undefined {
  if (name === '$schema' && depth === 0 && value !== dialect) return { path, message: `must be ${dialect}, or absent` }
  if ((name === '$ref' || name === '$dynamicRef') && typeof value === 'string' && !value.startsWith('#')) {
    return { path, message: 'must refer to a part of this schema, such as #/$defs/address' }
  }
  if (name === 'pattern' && typeof value === 'string') return patternProblem(value, path)
  if (name !== 'patternProperties' || typeof value !== 'object' || value === null) return undefined
  return Object.keys(value)
    .map((pattern) => patternProblem(pattern, step(path, pattern)))
    .find((problem) => problem !== undefined)
}

function patternProblem(pattern: string, path: string): DataProblem | undefined {
  try {
    linearRegExp(pattern)
    return undefined
  } catch (err) {
    const reason = (err as Error).message
    return { path, message: `is not a pattern without lookarounds and back-references: ${reason}` }
  }
}
