import type { JsonObject } from '@platen/shared/contracts/json.ts'

export interface BenchDocument {
  name: string
  what: string
  html: string
  /** Draws itself by script: it may not share a page with others. */
  scripted: boolean
  /** The same document as a Handlebars source and its data. */
  template?: { source: string; data: JsonObject }
}
