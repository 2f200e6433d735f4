import { step } from '@platen/foundation/json/compare-json.ts'
import { closestName } from '@platen/foundation/runtime/closest-name.ts'
import type { DataProblem } from './worker-protocol.ts'

type Holds = 'schema' | 'schemas' | 'schemasByName' | 'value'

/** The keywords of JSON Schema (2020-12), and what their values hold. `definitions` is that of older versions. */
const keywords: Readonly<Record<string, Holds>> = {
  ...of('schema', 'additionalProperties', 'contains', 'contentSchema', 'else', 'if', 'items', 'not', 'propertyNames'),
  ...of('schema', 'then', 'unevaluatedItems', 'unevaluatedProperties'),
  ...of('schemas', 'allOf', 'anyOf', 'oneOf', 'prefixItems'),
  ...of('schemasByName', '$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'),
  ...of('value', '$anchor', '$comment', '$dynamicAnchor', '$dynamicRef', '$id', '$ref', '$schema', '$vocabulary'),
  ...of('value', 'const', 'contentEncoding', 'contentMediaType', 'default', 'dependentRequired', 'deprecated'),
  ...of('value', 'description', 'enum', 'examples', 'exclusiveMaximum', 'exclusiveMinimum', 'format', 'maxContains'),
  ...of('value', 'maxItems', 'maxLength', 'maxProperties', 'maximum', 'minContains', 'minItems', 'minLength'),
  ...of('value', 'minProperties', 'minimum', 'multipleOf', 'pattern', 'readOnly', 'required', 'title', 'type'),
  ...of('value', 'uniqueItems', 'writeOnly'),
}
const names = Object.keys(keywords)

/** Words of other dialects, and what says the same here. */
const elsewhere: Readonly<Record<string, string>> = {
  nullable: 'write "type": ["string", "null"], or anyOf with {"type": "null"}',
  example: 'write examples, a list',
  additionalItems: 'write items beside prefixItems',
  dependencies: 'write dependentRequired or dependentSchemas',
  discriminator: 'write oneOf with const',
}

function of(holds: Holds, ...words: string[]): Record<string, Holds> {
  return Object.fromEntries(words.map((word) => [word, holds]))
}

const maxProblems = 20

/**
 * The words of a schema that have no effect: those that are no keywords, and formats that are not checked. Words that begin with
 * `x-` are the author's own. The schema is one that `schemaProblem` accepts, so that its depth is limited.
 */
export function uncheckedWords(schema: unknown, formats: readonly string[]): DataProblem[] {
  const problems: DataProblem[] = []
  // The hint for a word takes a third of a millisecond.
  const isFull = () => problems.length >= maxProblems
  const visit = (value: unknown, path: string): void => {
    if (isFull() || typeof value !== 'object' || value === null || Array.isArray(value)) return
    for (const [word, inner] of Object.entries(value)) {
      if (isFull()) return
      const at = step(path, word)
      const holds = Object.hasOwn(keywords, word) ? keywords[word] : undefined
      if (holds === undefined && !word.startsWith('x-')) problems.push({ path: at, message: unknownWord(word) })
      if (word === 'format' && typeof inner === 'string' && !formats.includes(inner)) {
        const message = `${inner.slice(0, 40)} is not a format that is checked; those are ${formats.join(', ')}. Others are written as pattern`
        problems.push({ path: at, message })
      }
      if (holds === 'schema') visit(inner, at)
      else if (holds === 'schemas' && Array.isArray(inner))
        for (const [n, one] of inner.entries()) visit(one, `${at}[${n}]`)
      else if (holds === 'schemasByName' && typeof inner === 'object' && inner !== null) {
        for (const [name, one] of Object.entries(inner)) visit(one, step(at, name))
      }
    }
  }
  visit(schema, '')
  return problems.slice(0, maxProblems)
}

function unknownWord(word: string): string {
  const known = Object.hasOwn(elsewhere, word) ? elsewhere[word] : undefined
  const meant = known === undefined ? closestName(word, names) : undefined
  const hint = known ?? (meant === undefined ? 'words of your own begin with x-' : `did you mean ${meant}?`)
  return `is not a keyword of JSON Schema 2020-12: ${hint}`
}
