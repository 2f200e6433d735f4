import { type ClientSchemas, nameOf, type Schema, typeOf } from './schemas.ts'

const head = `"""The types of the HTTP API, made by \`npm run generate\` from the OpenAPI document of Platen.

A later version of Platen may send more fields, and other codes.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict
`

const simple: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
}

/** Typed dictionaries in Python. */
export function pythonTypes({ schemas, nullable }: ClientSchemas): string {
  const definitions = [...schemas].map(([name, schema]) => definitionOf(name, schema, nullable))
  const all = `__all__ = [\n${[...schemas.keys()].map((name) => `    "${name}",\n`).join('')}]\n`
  return `${head}\n${all}\n\n${definitions.join('\n\n')}`
}

function definitionOf(name: string, schema: Schema, nullable: ReadonlySet<string>): string {
  const { properties, description, required = [] } = schema
  const context: Context = { nullable, inner: [] }
  if (!properties) {
    const alias = aliasOf(name, typeOfSchema(schema, context, name))
    return [...context.inner, `${comment(description)}${alias}`].join('\n\n')
  }
  const fields = Object.entries(properties).map(([field, one]) => {
    const type = typeOfSchema(one, context, `${name}${camel(field)}`)
    const doc = one.description === undefined ? '' : docstring(one.description)
    return `    ${field}: ${required.includes(field) ? type : `NotRequired[${type}]`}\n${doc}`
  })
  const doc = description === undefined ? '' : `${docstring(description)}\n`
  return [...context.inner, `class ${name}(TypedDict):\n${doc}${fields.join('')}`].join('\n\n')
}

interface Context {
  /** Typed dictionaries that may be `None` instead. */
  nullable: ReadonlySet<string>
  /** The definitions of nested objects. */
  inner: string[]
}

function typeOfSchema(schema: Schema, context: Context, name: string): string {
  const { type, isNullable } = typeOf(schema)
  const plain = plainType(schema, type, context, name)
  return isNullable ? `${plain} | None` : plain
}

function plainType(schema: Schema, type: string | undefined, context: Context, name: string): string {
  const { $ref, enum: values, oneOf, properties, additionalProperties, items } = schema
  if ($ref !== undefined) return context.nullable.has(nameOf($ref)) ? `${nameOf($ref)} | None` : nameOf($ref)
  if (values) return `Literal[${values.map((value) => JSON.stringify(value)).join(', ')}]`
  if (oneOf) return oneOf.map((one) => typeOfSchema(one, context, name)).join(' | ')
  if (type === 'array') return `list[${items ? typeOfSchema(items, context, name) : 'Any'}]`
  if (type !== 'object') return simple[type ?? ''] ?? 'Any'
  if (properties) {
    context.inner.push(definitionOf(name, schema, context.nullable))
    return name
  }
  const isTyped = typeof additionalProperties === 'object'
  return `dict[str, ${isTyped ? typeOfSchema(additionalProperties, context, `${name}Entry`) : 'Any'}]`
}

/** A type that names others, which are defined below it, is quoted. */
function aliasOf(name: string, type: string): string {
  const [, values] = /^Literal\[(.*)\]$/.exec(type) ?? []
  const value = values === undefined ? `"${type.replaceAll('"', "'")}"` : type
  const line = `${name}: TypeAlias = ${value}\n`
  if (line.length <= width + 1) return line
  if (values === undefined) return `${name}: TypeAlias = (\n    ${value}\n)\n`
  return `${name}: TypeAlias = Literal[\n    ${values.replaceAll(', ', ',\n    ')},\n]\n`
}

const camel = (field: string) => field.replace(/(^|_)(\w)/g, (_, __, letter: string) => letter.toUpperCase())

const width = 100

function comment(description: string | undefined): string {
  return description === undefined
    ? ''
    : wrapped(description, width - 2)
        .map((line) => `# ${line}\n`)
        .join('')
}

function docstring(description: string): string {
  const indent = '    '
  const text = description.replaceAll('\\', '\\\\')
  const lines = wrapped(text, width - indent.length - 6)
  const end = lines.length > 1 || text.endsWith('"') ? `\n${indent}"""` : '"""'
  return `${indent}"""${lines.join(`\n${indent}`)}${end}\n`
}

/** Lines of at most so many characters. */
export function wrapped(text: string, length: number): string[] {
  const lines: string[] = []
  for (const word of text.replaceAll('\n', ' ').split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= length) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
