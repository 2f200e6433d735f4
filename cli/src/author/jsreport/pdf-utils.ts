import type { TemplateOptions } from '@platen/domain/template/template-content.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import { type Entity, type JsreportExport, nameOf, objectOf, textOf } from './read-export.ts'
import { Remarks } from './report.ts'

type Output = NonNullable<TemplateOptions['output']>
const infoFields = ['title', 'author', 'subject', 'keywords'] as const

/** What pdf-utils does to the printed PDF, as options of Platen. https://jsreport.net/learn/pdf-utils */
export function pdfUtilsOptions({ fields }: Entity, entity: string, remarks: Remarks): TemplateOptions {
  const meta = objectOf(fields.pdfMeta)
  const info = infoFields.flatMap((name) => (textOf(meta[name]) === '' ? [] : [[name, textOf(meta[name])]]))
  for (const name of ['producer', 'language', 'custom']) {
    if (textOf(meta[name]) !== '') remarks.left(entity, `pdfMeta.${name}`)
  }
  if (objectOf(fields.pdfSign).certificateAssetShortid) {
    remarks.left(entity, 'pdfSign: a signing key belongs to the deployment, see options.output.sign')
  }
  if (objectOf(fields.pdfCompression).enabled === true) remarks.left(entity, 'pdfCompression')
  const { enabled: isTagged, pdfUA } = objectOf(fields.pdfAccessibility)
  const output = outputSteps(fields, entity, remarks)
  return {
    ...(info.length > 0 && { document_info: Object.fromEntries(info) }),
    ...((isTagged === true || pdfUA === true) && { tagged: true }),
    ...(Object.keys(output).length > 0 && { output }),
  }
}

function outputSteps(fields: JsonObject, entity: string, remarks: Remarks): Output {
  const creator = textOf(objectOf(fields.pdfMeta).creator)
  const isArchived = objectOf(fields.pdfA).enabled === true
  const isAccessible = objectOf(fields.pdfAccessibility).pdfUA === true
  if (isArchived) remarks.changed(entity, 'pdfA: PDF/A-1b becomes PDF/A-3b')
  const protect = permissions(objectOf(fields.pdfPassword), entity, remarks)
  return {
    ...(creator !== '' && { metadata: { creator } }),
    ...((isArchived || isAccessible) && {
      conformance: { ...(isArchived && { pdf_a: '3b' }), ...(isAccessible && { pdf_ua: '1' }) },
    }),
    ...(protect && { protect: { permissions: protect } }),
  }
}

function permissions(given: JsonObject, entity: string, remarks: Remarks) {
  if (textOf(given.password) === '' && textOf(given.ownerPassword) === '') return undefined
  remarks.left(entity, 'pdfPassword: templates store no passwords; send options.output.protect with a request')
  return {
    print: textOf(given.printing) !== '',
    modify: given.modifying === true,
    extract: given.copying === true,
    annotate: given.annotating === true,
    fill_forms: given.fillingForms === true,
    assemble: given.documentAssembly === true,
  }
}

/** Sources that pdf-utils prints over each page, as a header and a footer. */
export interface MergedMargins {
  header: string
  footer: string
  /** The template that they come from. */
  from: Entity
}

/** The operation of pdf-utils that is taken as header and footer. All others are left. */
export function mergedMargins(template: Entity, exported: JsreportExport, remarks: Remarks): MergedMargins | undefined {
  const entity = nameOf(template)
  const operations = Array.isArray(template.fields.pdfOperations) ? template.fields.pdfOperations : []
  const enabled = operations.map(objectOf).filter((operation) => operation.enabled !== false)
  let taken: MergedMargins | undefined
  for (const operation of enabled) {
    const from = exported.byShortid('templates', operation.templateShortid)
    const margins = operation.type === 'merge' && from && !taken ? marginsOf(from, operation) : undefined
    const named = from ? nameOf(from) : String(operation.templateShortid)
    if (margins) {
      taken = margins
      remarks.changed(
        entity,
        `pdfOperations: ${named} is the header and footer of each page; margins must have room for it`,
      )
    } else remarks.left(entity, `pdfOperations: ${String(operation.type)} of ${named}; POST /v1/pdf/merge joins PDFs`)
  }
  return taken
}

/** The templates that become headers and footers of others. */
export const templatesOfMargins = (exported: JsreportExport): Entity[] =>
  exported.of('templates').flatMap((template) => mergedMargins(template, exported, new Remarks())?.from ?? [])

function marginsOf(from: Entity, { mergeWholeDocument }: JsonObject): MergedMargins | undefined {
  if (mergeWholeDocument === true || !isSource(from.fields.engine)) return undefined
  const content = pageNumbers(textOf(from.fields.content))
  if (/\$pdf|\{\{\{?#?\s*pdf[A-Z]/.test(content)) return undefined
  const styles = (content.match(/<style[\s>][\s\S]*?<\/style>/gi) ?? []).join('\n')
  const part = (name: string) => new RegExp(String.raw`<${name}[\s>][\s\S]*?</${name}>`, 'i').exec(content)?.[0]
  const [header, footer] = [part('header'), part('footer')]
  const body = /<body[^>]*>([\s\S]*?)<\/body>/i.exec(content)?.[1] ?? content
  if (header === undefined && footer === undefined) return { header: `${styles}${body}`, footer: '', from }
  return { header: header ? `${styles}${header}` : '', footer: footer ? `${styles}${footer}` : '', from }
}

const isSource = (engine: unknown) => engine === 'handlebars' || engine === 'none'

/** The numbers that headers of pdf-utils print, as the elements that Chromium fills. */
function pageNumbers(content: string): string {
  return content
    .replace(/\{\{\{?\s*(?:@root\.)?\$pdf\.pageNumber\s*\}?\}\}/g, '<span class="pageNumber"></span>')
    .replace(/\{\{\{?\s*(?:@root\.)?\$pdf\.pages\.length\s*\}?\}\}/g, '<span class="totalPages"></span>')
}
