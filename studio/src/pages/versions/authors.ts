import type { Version } from './resources.ts'

/** Who made a version: the name of the API key. */
export function authorOf({ api_key_name: name, api_key_id: id }: Pick<Version, 'api_key_name' | 'api_key_id'>): string {
  return name ?? (id === undefined ? 'an operator' : 'a key of another owner')
}

const names: Readonly<Record<string, string>> = {
  html: 'body',
  header_html: 'header',
  footer_html: 'footer',
  sample_data: 'sample data',
  data_schema: 'schema',
  follow_partials: 'following of partials',
  retain_input: 'keeping of inputs',
}

/** What a version changed, in words. */
export function changeOf({ change, changed, restored_from: restored }: Version): string {
  if (restored !== undefined) return `restored version ${restored}`
  if (change === 'created' || change === 'deleted') return change
  return changed.length === 0 ? change : changed.map((field) => names[field] ?? field).join(', ')
}
