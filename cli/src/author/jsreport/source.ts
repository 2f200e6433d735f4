import { type Entity, type JsreportExport, textOf } from './read-export.ts'
import type { Remarks } from './report.ts'

/** The source of a template, partial or style sheet that is translated. */
export interface Source {
  text: string
  /** `none`: the text has no Handlebars. `css`: it is the content of an asset. */
  engine: 'handlebars' | 'none' | 'css'
  /** Where relative paths begin. */
  folder: string
  /** Named in remarks. */
  entity: string
}

/** What a source refers to. */
export interface References {
  exported: JsreportExport
  remarks: Remarks
  /** The URLs of assets begin with it. */
  assetPrefix: string
  /** The URL of an asset, such as `asset:jsreport/logo.png`. Undefined for one that Platen does not take. */
  assetUrl(asset: Entity): string | undefined
  /** The name of the partial of a child template, of a component, or of an asset whose text is printed. */
  partialOf(entity: Entity): string
}

export const quoted = `"[^"]*"|'[^']*'`

/** The text in quotation marks. Undefined for a path of the data. */
export const literal = (argument: string): string | undefined =>
  /^(["']).*\1$/s.test(argument) ? argument.slice(1, -1) : undefined

/** The content of an asset, which exports have in Base64. */
export const bytesOf = ({ fields }: Entity): Buffer => Buffer.from(textOf(fields.content), 'base64')
