import { parentPort } from 'node:worker_threads'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'
import { type CheckData, compileSchema, InvalidSchema } from './compile-schema.ts'
import type { SchemaResult, SchemaTask } from './worker-protocol.ts'

const compiled = new LruCache<CheckData>({ maxCount: 200, maxWeight: 4 * 1024 * 1024 })

parentPort?.on('message', (task: SchemaTask) => parentPort?.postMessage(run(task)))

function run({ schema, texts, saving = false }: SchemaTask): SchemaResult {
  try {
    const known = saving ? undefined : compiled.get(schema)
    const check = known ?? compileSchema(JSON.parse(schema) as JsonObject, { saving })
    compiled.set(schema, check)
    // An integer that a number cannot hold is one for a schema, too: it is rounded here.
    return { texts: texts.map((text) => check(JSON.parse(text), text.length)) }
  } catch (err) {
    if (err instanceof InvalidSchema) return { schema: err.problems }
    throw err
  }
}
