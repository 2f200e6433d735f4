import { errorOf } from '../../../api/api-error.ts'
import { send } from '../../../api/client.ts'
import type { Schema } from './json-schema.ts'

export interface OptionsSchema {
  /** The OpenAPI document, for `$ref`. */
  root: unknown
  options: Schema
}

let loaded: Promise<OptionsSchema> | undefined

/** The options that this server knows, from its OpenAPI document. It is loaded once. */
export function loadOptionsSchema(): Promise<OptionsSchema> {
  loaded ??= load()
  loaded.catch(() => {
    loaded = undefined
  })
  return loaded
}

async function load(): Promise<OptionsSchema> {
  const response = await send(new Request(new URL('/openapi.json', location.origin)))
  const root: unknown = await response.json()
  if (!response.ok) throw errorOf(root, response)
  const { components } = root as { components: { schemas: Record<string, Schema> } }
  return { root, options: components.schemas.TemplateOptions ?? {} }
}
