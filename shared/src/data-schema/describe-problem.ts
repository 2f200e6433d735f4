import type { ErrorObject } from 'ajv/dist/2020.js'
import { step } from '../templates/compare-json.ts'
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
      return {
        path,
        message: `must be one of ${params.allowedValues.map((value: unknown) => JSON.stringify(value)).join(', ')}`,
      }
    case 'const':
      return { path, message: `must be ${JSON.stringify(params.allowedValue)}` }
    case 'format':
      return { path, message: `must be a ${params.format}` }
    default:
      return { path, message }
  }
}

const article = (type: string) => (type === 'null' ? 'null' : `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`)

/** `/items/2/price` (RFC 6901) → `items[2].price`. */
function pathOf(pointer: string): string {
  const names = pointer.split('/').slice(1)
  return names
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, name) => (/^\d+$/.test(name) ? `${path}[${name}]` : step(path, name)), '')
}
