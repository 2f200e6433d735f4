import type { Schemas } from '../../../api/client.ts'

/** The content of a version. */
export type Content = Schemas['Template']

/** The data that both versions are printed with. `sample` is a named set of the newer version. */
export type ComparedData = { kind: 'sample-data' } | { kind: 'sample'; name: string } | { kind: 'pasted'; json: string }

const samplePrefix = 'sample:'

/** The data that the address names. Pasted data is kept by this window of the browser alone. */
export function dataOfAddress(value: string, templateId: string): ComparedData {
  if (value.startsWith(samplePrefix)) return { kind: 'sample', name: value.slice(samplePrefix.length) }
  const json = value === 'pasted' ? sessionStorage.getItem(storedName(templateId)) : null
  return json === null ? { kind: 'sample-data' } : { kind: 'pasted', json }
}

export const sampleInAddress = (name: string): string => samplePrefix + name

export function keepPasted(templateId: string, json: string): void {
  sessionStorage.setItem(storedName(templateId), json)
}

export const keptPasted = (templateId: string): string | undefined =>
  sessionStorage.getItem(storedName(templateId)) ?? undefined

const storedName = (templateId: string) => `platen-compared-data ${templateId}`

/** The JSON of the data. */
export function jsonOf(data: ComparedData, newer: Content): string {
  if (data.kind === 'pasted') return data.json
  return JSON.stringify((data.kind === 'sample' ? newer.samples?.[data.name] : newer.sample_data) ?? {})
}
