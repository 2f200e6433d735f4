import { stringifyExact } from './exact-json.ts'

/** JSON of an object. The fields in `jsons` are JSON already, and are written as they are, whatever the object has for them. */
export function stringifyFields(fields: object, jsons: Readonly<Record<string, string>>): string {
  const written = Object.entries(fields).flatMap(([name, value]) => {
    const json = Object.hasOwn(jsons, name) ? jsons[name] : stringifyExact(value)
    // Like JSON.stringify, it leaves out undefined fields.
    return json === undefined ? [] : `${JSON.stringify(name)}:${json}`
  })
  return `{${written.join()}}`
}
