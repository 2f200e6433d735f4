import type { StepResult } from '@platen/domain/document/output-options.ts'
import type { Engine, RenderInput, ToolInput } from '@platen/domain/generation/generation.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { inSpan } from '@platen/foundation/tracing/tracing.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import type { KnownJson } from '../chromium/browser/cdp/known-json.ts'
import type { Printed } from '../print/print-job.ts'
import type { Printer } from '../print/printer.ts'
import { failOn } from '../print/warnings.ts'
import type { PdfToolbox } from '../tools/pdf-toolbox.ts'
import type { ResultFile } from '../tools/result-file.ts'
import { runChain } from '../tools/run-chain.ts'
import { runTask } from '../tools/run-task.ts'
import { toolsVersion } from '../tools/tools-version.ts'
import type { AssetSource } from './asset-source.ts'
import { type ComposedDocument, type ComposeOptions, composeDocument } from './compose-document.ts'
import { readSources } from './read-sources.ts'
import type { ObjectAccess } from './use-object.ts'

export interface MakeDependencies extends Omit<ComposeOptions, 'caller'>, Omit<ObjectAccess, 'objects'> {
  objects: ObjectStore
  assets: Pick<AssetSource, 'open'>
  printer: Pick<Printer, 'print' | 'check'>
  tools: Pick<PdfToolbox, 'run' | 'bounds'>
}

export interface MakeFor {
  /** Documents of another one share no page. */
  owner: string
  ownerId: string
  /** Its id. */
  generation: string
  /** The parent of its spans. */
  parent: string | undefined
  signal: AbortSignal
  /** The HTML of the command, unless it is filled in. */
  known: KnownJson | undefined
}

/** The file of a generation, with how long its steps took in ms. */
export interface MadeFile extends ResultFile, Pick<Printed, 'warnings'> {
  engine: Engine
  helpersSha256?: ComposedDocument['helpersSha256']
  /** Absent if nothing was done after the print. */
  steps?: StepResult[]
  startedAt: number
  template_ms: number
  print_ms: number
  tools_ms?: number
}

/** Prints the document, or carries out the operation, and then does the steps of `options.output`. */
export async function makeFile(dependencies: MakeDependencies, input: RenderInput, made: MakeFor): Promise<MadeFile> {
  const { tool } = input
  return tool ? runTool(dependencies, { ...input, tool }, made) : print(dependencies, input, made)
}

async function print(
  dependencies: MakeDependencies,
  input: RenderInput,
  { owner, ownerId, generation, parent, signal, known }: MakeFor,
): Promise<MadeFile> {
  const { engine, templateSource, partialSources, assets, printer } = dependencies
  const startedAt = performance.now()
  const document = await inSpan('fill', { parent, attributes: { 'platen.template': input.template?.id } }, () =>
    composeDocument(input, { engine, templateSource, partialSources, caller: { owner: ownerId, key: owner } }),
  )
  const composedAt = performance.now()
  const own = assets.open({ ownerId, pins: document.assetPins, generation, signal })
  const { pdf, mediaType, form, ...printed } = await inSpan('render', { parent }, async (traceparent, span) => {
    const { page, files, requests, screenshot, refusals } = input
    const source = { page, files, requests, screenshot, refusals }
    const job = {
      ...document,
      ...source,
      assets: own,
      options: printOptions(input.options),
      owner,
      signal,
      traceparent,
      known,
    }
    const result = await printer.print(job)
    span?.set({ 'platen.pages': result.pages, 'platen.mode': result.engine.mode })
    return result
  })
  const times = {
    startedAt,
    template_ms: Math.round(composedAt - startedAt),
    print_ms: Math.round(performance.now() - composedAt),
  }
  const { helpersSha256 } = document
  const restOptions = withRest(input.options, times.print_ms)
  const whole = {
    ...printed,
    bytes: pdf,
    ...defined({ media_type: mediaType }),
    helpersSha256,
    ...times,
  }
  if (input.chain) {
    const run = { options: restOptions, caller: { owner: ownerId, key: owner }, signal }
    const done = await runChain(dependencies.tools, input.chain, [{ bytes: pdf }], run)
    return { ...whole, ...done, warnings: [...printed.warnings, ...done.warnings] }
  }
  if (input.options.output === undefined && form === undefined) return whole
  const task = { sources: [{ bytes: pdf }], operation: { operation: 'steps' as const }, ...defined({ form }) }
  const options = withInvoice(restOptions, document.invoiceXml)
  const run = { options, assets: own, caller: { owner: ownerId, key: owner }, parent, signal }
  const done = await runTask(dependencies.tools, task, run)
  const warnings = [...printed.warnings, ...done.warnings]
  failOn(options.fail_on, done.warnings)
  return { ...whole, ...done, warnings }
}

/** PDF/UA needs tags. */
function printOptions(options: RenderInput['options']): RenderInput['options'] {
  return options.output?.conformance?.pdf_ua === undefined ? options : { ...options, tagged: true }
}

/** The least `timeout_ms`: a document that has waited for its browser has time for its steps, too. */
const leastMs = 1_000

/** The options with the time that the print has left to the steps. */
function withRest(options: RenderInput['options'], printMs: number): RenderInput['options'] {
  const { timeout_ms: limitMs } = options
  return limitMs === undefined ? options : { ...options, timeout_ms: Math.max(leastMs, limitMs - printMs) }
}

/** The steps with the XML of the e-invoice as it was filled. */
function withInvoice(options: RenderInput['options'], xml: string | undefined): RenderInput['options'] {
  const { output } = options
  if (!output?.e_invoice || xml === undefined) return options
  return { ...options, output: { ...output, e_invoice: { ...output.e_invoice, xml } } }
}

async function runTool(
  dependencies: MakeDependencies,
  input: RenderInput & { tool: ToolInput },
  { owner, ownerId, generation, parent, signal }: MakeFor,
): Promise<MadeFile> {
  const startedAt = performance.now()
  const { maxBytes } = dependencies.tools.bounds
  const { operation, sources } = input.tool
  const own = dependencies.assets.open({ ownerId, generation, signal })
  const read = await readSources(dependencies, sources, { generation, signal, maxBytes })
  const { options } = input
  const run = { options, assets: own, caller: { owner: ownerId, key: owner }, parent, signal }
  const done = input.chain
    ? await runChain(dependencies.tools, input.chain, read, run)
    : await runTask(dependencies.tools, { sources: read, operation }, run)
  const engine = { name: 'pdf-tools', version: toolsVersion, mode: 'tools' as const }
  return { ...done, engine, startedAt, template_ms: 0, print_ms: 0 }
}
