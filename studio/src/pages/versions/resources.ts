import type { Schemas } from '../../api/client.ts'

export type Version = Schemas['TemplateVersionSummary']
export type Content = Schemas['Template']
export type Comparison = Schemas['TemplateComparison']

/** What the page needs of a template. A deleted one has its versions still. */
export interface VersionedTemplate {
  id: string
  name: string
  slug: string
  /** The newest version with content. */
  newest: number
  /** The newest version: that of the deletion of a deleted template. */
  revision: number
  isDeleted: boolean
  labels: Readonly<Record<string, number>>
}
