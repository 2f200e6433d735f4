import type { components } from '@platen/client'
import type { Entity } from './read-export.ts'

/** What an import sends, in this order. */
export interface Plan {
  assets: PlannedAsset[]
  /** Each after those that it calls. */
  partials: PlannedPartial[]
  templates: PlannedTemplate[]
}

export interface PlannedAsset {
  entity: Entity
  name: string
  bytes: Buffer
}

export interface PlannedPartial {
  entity: Entity
  name: string
  html: string
}

export interface PlannedTemplate {
  entity: Entity
  slug: string
  content: components['schemas']['PutTemplateRequest']
}
