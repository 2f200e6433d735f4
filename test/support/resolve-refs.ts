type Json = { [key: string]: unknown }

/** An OpenAPI document with the schemas in place of the references to them. Schemas of the API do not contain themselves. */
export function resolveRefs<Document>(document: Document): Document {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    const { $ref, ...fields } = value as Json
    const target = typeof $ref === 'string' ? (resolve(at(document as Json, $ref)) as Json) : {}
    return { ...target, ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, resolve(field)])) }
  }
  return resolve(document) as Document
}

/** The part of a document that a local reference names: `#/components/schemas/Template`. */
function at(document: Json, ref: string): unknown {
  return ref
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((value, name) => (value as Json | undefined)?.[name], document)
}
