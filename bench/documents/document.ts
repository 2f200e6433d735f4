import type { JsonObject } from '@platen/foundation/json/json.ts'

export interface BenchDocument {
  name: string
  what: string
  html: string
  /** A script draws the document, so the page cannot be reused. */
  scripted: boolean
  /** The document as a Handlebars template and data. */
  template?: { source: string; data: JsonObject }
}
