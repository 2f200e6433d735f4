import type { ComponentType } from 'preact'
import type { Schema } from './json-schema.ts'

export interface SchemaFieldProps {
  label: string
  schema: Schema
  /** Where `$ref` looks. */
  root: unknown
  value: unknown
  /** Dotted, of the value in the whole: `margin.top`. */
  path: string
  /** Shown where there is no value. Default: that of the schema. */
  placeholder?: string | undefined
  isRequired?: boolean
  /** It is in a list, where every one is. */
  isItem?: boolean
  /** Why a value is refused. */
  problemOf(path: string): string | undefined
  /** `undefined` removes the value. */
  onChange(value: unknown): void
}

/** Of a field that has fields inside, which `Field` shows. */
export interface OuterFieldProps extends SchemaFieldProps {
  Field: ComponentType<SchemaFieldProps>
}
