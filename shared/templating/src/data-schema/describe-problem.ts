import { step } from '@platen/foundation/json/compare-json.ts'
import type { ErrorObject } from 'ajv/dist/2020.js'
import type { DataProblem } from './worker-protocol.ts'

/** An error of Ajv with a path such as `items[2].price`. */
export function describeProblem({ instancePath, keyword, params, message = 'is not valid' }: ErrorObject): DataProblem {
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
