import type { BatchBody, BatchItem } from '@platen/domain/batch/batch.ts'
import type { GenerateBody, RenderInput } from '@platen/domain/generation/generation.ts'
import { DomainError, fail } from '@platen/domain/http/errors.ts'
import type { FieldProblem } from '@platen/domain/http/http.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import type { Claim } from '@platen/foundation/runtime/fair-shares.ts'
import type { ItemWriter } from '@platen/service-kit/inputs/stored-items.ts'
import type { CheckedValue, SchemaChecker } from '@platen/templating/data-schema/schema-checker.ts'
import { checkGenerateBody } from '../generations/check-generate-body.ts'
import { type DocumentData, resolveInput } from '../generations/resolve-input.ts'
import type { ItemPlace } from '../http/bodies/body-protocol.ts'
import { fileNameProblem } from '../http/bodies/file-names.ts'
import { maxProblems, validationError } from '../http/errors/field-problems.ts'
import { overrideOptions } from '../options/override-options.ts'
import { inSlices } from './in-slices.ts'
import { type ItemLookupOptions, itemLookup } from './item-lookup.ts'

/** Fields that the items of a batch have in common. */
export type BatchDefaults = Omit<BatchBody, 'items' | 'webhook_url'>

/** An item as the client has sent it. `place` names it in errors: `line 3: ` before the name of a field. */
export interface GivenItem {
  place: string
  /** Throws VALIDATION_ERROR and INVALID_JSON. */
  read(place: ItemPlace): Promise<ReadItem>
}

export interface ReadItem {
  /** Without the values of its data if those are in `data_json`. */
  item: BatchItem
  /** The data of a large item. */
  data_json?: string | undefined
  fileName: string | undefined
}

export interface AcceptOptions extends ItemLookupOptions {
  schemas: Pick<SchemaChecker, 'check'>
}

export interface Acceptance {
  claim: Claim
  defaults: BatchDefaults
  writer: ItemWriter
}

/**
 * Checks each item as a request to generate, and stores it with the versions that it is printed from. Returns their number. Throws
 * VALIDATION_ERROR with the first problems, and what a request to generate is refused with, of the first item that is.
 */
export async function acceptItems(
  options: AcceptOptions,
  items: AsyncIterable<GivenItem> | Iterable<GivenItem>,
  { claim, defaults, writer }: Acceptance,
): Promise<number> {
  const problems: FieldProblem[] = []
  const checks = new DataChecks(options.schemas, claim)
  let place = ''
  const lookup = itemLookup(options, claim.owner, async (schema, data) => checks.add(schema, `${place}data`, data))
  /** Collects the problems of fields; other refusals end the request. */
  const collect = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (err) {
      problems.push(...problemsOf(err, place))
    }
    if (problems.length >= maxProblems) throw validationError(problems.slice(0, maxProblems), 'the body')
  }
  let index = 0
  for await (const given of inSlices(items)) {
    index += 1
    place = given.place
    await collect(async () => {
      const { item, data_json, fileName } = await given.read({ index, pattern: defaults.file_name })
      const body = { ...withDefaults(item, defaults), data_json }
      checkGenerateBody(body)
      const problem = fileNameProblem(body.file_name ?? '')
      if (problem !== undefined) throw validationError([{ path: 'file_name', message: problem }], 'the body')
      const { input, template } = await resolveInput(body, lookup)
      if (problems.length > 0) return
      const { metadata } = body
      const request = {
        ...defined({ template }),
        ...(metadata && Object.keys(metadata).length > 0 && { metadata }),
        ...(fileName && { file_name: fileName }),
      }
      await writer.add({ index, request, input: withIndex(input, index) })
    })
    if (checks.isFull) await collect(() => checks.run())
  }
  place = ''
  await collect(() => checks.run())
  if (problems.length > 0) throw validationError(problems, 'the body')
  if (index === 0) throw validationError([{ path: 'items', message: 'must not be empty' }], 'the body')
  return index
}

/** The input with `index` in its data. One of the data replaces it: of two fields with one name, JSON.parse takes the last. */
function withIndex(input: RenderInput, index: number): RenderInput {
  const { data, data_json } = input
  if (data) return { ...input, data: { index, ...data } }
  if (data_json === undefined) return input
  const rest = data_json.slice(1)
  return { ...input, data_json: `{"index":${index}${rest === '}' ? '' : ','}${rest}` }
}

/** The item with what it has from the batch. */
function withDefaults(item: BatchItem, defaults: BatchDefaults): GenerateBody {
  const { html, template, template_version, template_label, options, metadata, ...others } = defaults
  const hasSource = item.html !== undefined || item.template !== undefined
  const hasVersion = item.template_version !== undefined || item.template_label !== undefined
  return {
    ...others,
    ...(!hasSource && { ...defined({ html, template }) }),
    ...(!hasSource &&
      !hasVersion && {
        ...defined({ template_version, template_label }),
      }),
    ...item,
    ...((options || item.options) && { options: overrideOptions(options ? { options } : {}, item.options) }),
    ...((metadata || item.metadata) && { metadata: { ...metadata, ...item.metadata } }),
  }
}

function problemsOf(err: unknown, place: string): FieldProblem[] {
  if (!(err instanceof DomainError)) throw err
  const { code, message, details } = err
  if (code !== 'VALIDATION_ERROR') return fail(code, place === '' ? message : `${capital(place)}${message}`, details)
  const given = Array.isArray(details) ? (details as FieldProblem[]) : [{ path: '', message }]
  return given.map((problem) => ({
    ...problem,
    path: problem.path === '' ? place.replace(/\W+$/, '') : `${place}${problem.path}`,
  }))
}

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const maxValues = 100
const maxChars = 256 * 1024

/**
 * Collects data to check them with their schemas together, because a message to the thread takes longer than a short
 * check.
 */
class DataChecks {
  readonly #schemas: Pick<SchemaChecker, 'check'>
  readonly #claim: Claim
  #waiting = new Map<JsonObject, CheckedValue[]>()
  #count = 0
  #chars = 0

  constructor(schemas: Pick<SchemaChecker, 'check'>, claim: Claim) {
    this.#schemas = schemas
    this.#claim = claim
  }

  get isFull(): boolean {
    return this.#count >= maxValues || this.#chars >= maxChars
  }

  add(schema: JsonObject, name: string, value: DocumentData): void {
    const values = this.#waiting.get(schema) ?? []
    values.push({ name, value })
    this.#waiting.set(schema, values)
    this.#count += 1
    // For short texts the number of values is the limit, so this estimate is enough.
    this.#chars += typeof value === 'string' ? value.length : JSON.stringify(value, bigintAsText).length
  }

  /** Throws VALIDATION_ERROR. The names in it have the places of the items. */
  async run(): Promise<void> {
    const waiting = [...this.#waiting]
    this.#waiting = new Map()
    this.#count = 0
    this.#chars = 0
    for (const [schema, values] of waiting) await this.#schemas.check(this.#claim, schema, values)
  }
}

const bigintAsText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
