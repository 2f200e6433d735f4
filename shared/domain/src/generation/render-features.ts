import { type OutputStep, outputFeatures } from '../document/output-options.ts'
import { operations } from '../document/pdf-operation.ts'
import { optionFeatures, type ResolvedPdfOptions, resolvePdfOptions } from '../document/pdf-options.ts'
import type { RenderInput } from './generation.ts'

// Features that a command requires of its renderer. A renderer without one of them leaves the command to a newer
// renderer: it would ignore the unknown fields, and print the document without them.

/** The features that documents need: for options that are not at their default, and for other fields of the input. */
export interface FeatureTable {
  options: Readonly<Record<keyof ResolvedPdfOptions, string | undefined>>
  input: Readonly<Record<Exclude<keyof RenderInput, 'options'>, string | undefined>>
}

const table: FeatureTable = {
  options: optionFeatures,
  input: {
    html: undefined,
    template: undefined,
    partials: undefined,
    data: undefined,
    data_json: 'data-json',
    partial_sources: 'partial-sources',
    translations: 'translations',
    helpers: 'own-helpers',
    // Each operation is a feature of its own.
    tool: undefined,
    page: 'page',
    files: 'request-files',
    requests: 'request-extras',
    screenshot: 'screenshot',
    chain: 'pdf-chain',
    refusals: 'refusals',
  },
}

/** The feature of a preview that compares two versions as pages. */
export const pageComparison = 'page-comparison'

/** Likewise of one that compares two stored PDFs. */
export const comparedFiles = 'compared-files'

/** The feature of a generation whose input is kept: an older renderer would not record that, nor decrypt a large one. */
export const keptInput = 'kept-input'

/** The feature of a stored input with bytes: an older renderer would take them for text. */
export const fileBytes = 'file-bytes'

/** Features of this version of the renderer. */
const known: ReadonlySet<unknown> = new Set([
  ...Object.values(table.options),
  ...Object.values(table.input),
  pageComparison,
  ...Object.values(outputFeatures),
  ...operations.map(toolFeature),
  comparedFiles,
  keptInput,
  fileBytes,
])

function toolFeature(operation: string): string {
  return `pdf-${operation}`
}

const ofOperations: ReadonlySet<string> = new Set(operations.map(toolFeature))

/** Whether a command with these features is an operation on PDFs, which prints nothing. */
export function isOperation(requires: readonly string[] = []): boolean {
  return requires.some((feature) => ofOperations.has(feature))
}

/** Features in `requires` of a command or preview that this version does not know, even if the rest cannot be read. */
export function unknownFeatures(data: unknown): string[] {
  const { requires } = (typeof data === 'object' && data !== null ? data : {}) as { requires?: unknown }
  if (!Array.isArray(requires)) return []
  return requires.filter((feature) => typeof feature === 'string' && !known.has(feature))
}

/** The features that a document needs. */
export function featuresOf(input: RenderInput, { options, input: fields }: FeatureTable = table): string[] {
  const usual: Partial<ResolvedPdfOptions> = resolvePdfOptions()
  const needed = new Set<string>()
  for (const [name, feature] of Object.entries(options)) {
    const value = input.options[name as keyof ResolvedPdfOptions]
    const isUsual = JSON.stringify(value) === JSON.stringify(usual[name as keyof ResolvedPdfOptions])
    if (feature !== undefined && value !== undefined && !isUsual) needed.add(feature)
  }
  for (const [name, feature] of Object.entries(fields)) {
    if (feature !== undefined && input[name as keyof RenderInput] !== undefined) needed.add(feature)
  }
  for (const step of Object.keys(input.options.output ?? {})) needed.add(`${outputFeatures[step as OutputStep]}`)
  if (input.tool) needed.add(toolFeature(input.tool.operation.operation))
  if (hasBytes(input)) needed.add(fileBytes)
  return [...needed]
}

function hasBytes({ files = {}, chain, tool }: RenderInput): boolean {
  const sources = tool?.sources.map(({ content_base64 }) => content_base64) ?? []
  const contents = [...Object.values(files), ...Object.values(chain?.files ?? {}), ...sources]
  return contents.some((content) => content instanceof Uint8Array)
}
