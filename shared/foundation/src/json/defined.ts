/** The fields that may be undefined are optional. */
type Defined<Fields> = { [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name] } & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined>
}

/** The fields that are not undefined, to be spread into an object whose optional fields are absent or have a value. */
export function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  const present: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) present[name] = value
  return present as Defined<Fields>
}
