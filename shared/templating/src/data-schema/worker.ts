import { parentPort } from 'node:worker_threads'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'
import { type CheckData, compileSchema, InvalidSchema } from './compile-schema.ts'
import type { SchemaResult, SchemaTask } from './worker-protocol.ts'

const compiled = new LruCache<CheckData>({ maxCount: 200, maxWeight: 4 * 1024 * 1024 })

parentPort?.on('message', (task: SchemaTask) => parentPort?.postMessage(run(task)))

function run({ schema, texts }: SchemaTask): SchemaResult {
  try {
    const check = compiled.get(schema) ?? compileSchema(JSON.parse(schema) as JsonObject)
    compiled.set(schema, check)
    // An integer that a number cannot hold is one for a schema, too: it is rounded here.
    return { texts: texts.map((text) => check(JSON.parse(text))) }
  } catch (err) {
    if (err instanceof InvalidSchema) return { schema: err.problem }
    throw err
  }
}
