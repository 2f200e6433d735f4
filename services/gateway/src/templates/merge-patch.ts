import type { Json, JsonObject } from '@platen/foundation/json/json.ts'

/** Applies a JSON Merge Patch to an object (RFC 7396, section 2): null removes a field, objects are merged. */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const merged: JsonObject = { ...target }
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else merged[name] = isObject(value) ? mergePatch(isObject(merged[name]) ? merged[name] : {}, value) : value
  }
  return merged
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
