import { statedRules } from '@platen/foundation/json/json.ts'
import { Type } from 'typebox'
import { invalidField } from './errors/field-problems.ts'

/** A query parameter that is one of the values, or several of them with commas between: see `severalOf`. */
export function severalQuery(values: readonly string[], ...examples: string[]) {
  const one = `(${values.join('|')})`
  return Type.Optional(
    Type.String({
      maxLength: 200,
      [statedRules]: { pattern: `^${one}(,${one})*$` },
      description: `${values.map((value) => `\`${value}\``).join(', ')}, or several of them with commas between.`,
      examples,
    }),
  )
}

/** Each value once; undefined if the parameter is not given. Throws VALIDATION_ERROR. */
export function severalOf<Value extends string>(
  values: readonly Value[],
  parameter: string,
  text: string | undefined,
): Value[] | undefined {
  if (text === undefined) return undefined
  const named = text.split(',').map((name) => {
    const problem = `must be ${values.join(', ')}, or several of them with commas between`
    return values.find((known) => known === name) ?? invalidField(parameter, problem)
  })
  return [...new Set(named)]
}
