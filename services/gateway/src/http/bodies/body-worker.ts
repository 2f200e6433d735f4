import { parentPort } from 'node:worker_threads'
import { DomainError } from '@platen/domain/http/errors.ts'
import { jsonSha256 } from '@platen/foundation/json/canonical-json.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import { isJsonObject } from '@platen/foundation/json/is-json-object.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import type { BodyResult, BodyTask, ReadBody } from './body-protocol.ts'
import { excerpt, withoutValues } from './excerpt.ts'
import { itemFileName } from './file-names.ts'
import { parseBody } from './parse-body.ts'

parentPort?.on('message', (task: BodyTask) => parentPort?.postMessage(run(task)))

function run(task: BodyTask): BodyResult {
  try {
    return { body: read(task) }
  } catch (err) {
    if (err instanceof DomainError) return { failure: err.toFailure() }
    throw err
  }
}

function read({ bytes, schema, textFields, isHashed, item }: BodyTask): ReadBody {
  const value = parseBody(bytes)
  const hash = isHashed ? { sha256: jsonSha256(value) } : {}
  if (!isJsonObject(value)) return { texts: {}, rest: stringifyExact(excerpt(schema, value)), jsons: {}, ...hash }
  const { properties = {} } = schema
  const texts: Record<string, string> = {}
  const others: JsonObject = {}
  const jsons: Record<string, string> = {}
  for (const [name, field] of Object.entries(value)) {
    if (typeof field === 'string' && Object.hasOwn(properties, name)) texts[name] = field
    else if (textFields.includes(name) && isJsonObject(field)) {
      jsons[name] = stringifyExact(field)
      others[name] = withoutValues(properties[name] ?? {}, field)
    } else others[name] = field
  }
  const rest = stringifyExact(excerpt(schema, others))
  return { texts, rest, jsons, ...hash, ...(item && { fileName: itemFileName(value, item) }) }
}
