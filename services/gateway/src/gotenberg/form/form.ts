import { refuse } from '../answers/refused.ts'
import { parseBool, parseDurationMs, parseFloat64, parseInches, parseInteger } from './parse-values.ts'

/** A file of a request. */
export interface FormFile {
  /** The name of its form field. */
  field: string
  /** Its own name, without folders. */
  name: string
  bytes: Buffer
}

/** Fields whose files are no input of their own. */
const sideFields = ['embeds', 'watermark', 'stamp', 'facturxXml']

/** A problem quotes a value, which may have megabytes. */
const maxProblemLength = 2_000

/** The fields and files of a request, and what is wrong with them. Each field that is read counts as known. */
export class Form {
  readonly files: readonly FormFile[]
  readonly #fields: ReadonlyMap<string, readonly string[]>
  readonly #known = new Set(['downloadFrom'])
  readonly #problems: string[] = []

  constructor(fields: ReadonlyMap<string, readonly string[]>, files: readonly FormFile[]) {
    this.#fields = fields
    this.files = files
  }

  /** The same form with more files. */
  with(files: readonly FormFile[]): Form {
    return new Form(this.#fields, [...this.files, ...files])
  }

  /** All values of a field that may be given several times. */
  all(name: string): readonly string[] {
    this.#known.add(name)
    return this.#fields.get(name) ?? []
  }

  text(name: string, fallback = ''): string {
    const [value = ''] = this.all(name)
    return value === '' ? fallback : value
  }

  /** The parsed value, or the fallback for a field that is empty or absent. A value that does not parse is a problem. */
  parsed<Value>(name: string, fallback: Value, parse: (text: string) => Value): Value {
    const text = this.text(name)
    if (text === '') return fallback
    try {
      return parse(text)
    } catch (err) {
      const reason = err instanceof Error ? err.message : String(err)
      this.problem(`form field '${name}' is invalid (got '${text}', resulting to ${reason})`)
      return fallback
    }
  }

  bool(name: string, fallback: boolean): boolean {
    return this.parsed(name, fallback, parseBool)
  }

  integer(name: string, fallback: number): number {
    return this.parsed(name, fallback, parseInteger)
  }

  number(name: string, fallback: number): number {
    return this.parsed(name, fallback, parseFloat64)
  }

  inches(name: string, fallback: number): number {
    return this.parsed(name, fallback, parseInches)
  }

  durationMs(name: string, fallback: number): number {
    return this.parsed(name, fallback, parseDurationMs)
  }

  /** Says that a field must be given. */
  require(name: string): void {
    if (this.text(name) === '') this.problem(`form field '${name}' is required`)
  }

  /** The last file of this name. The case of its extension does not count. */
  file(name: string): FormFile | undefined {
    return this.files.findLast((file) => withLowerExtension(file.name) === name)
  }

  requiredFile(name: string): FormFile | undefined {
    const found = this.file(name)
    if (!found) this.problem(`form file '${name}' is required`)
    return found
  }

  /** Input files with an extension, each name once, in the order of their names: numbers in them count as numbers. */
  inputs(extension: string): FormFile[] {
    const byName = new Map(
      this.files.filter(({ field }) => !sideFields.includes(field)).map((file) => [file.name, file]),
    )
    return [...byName.values()]
      .filter(({ name }) => name.toLowerCase().endsWith(extension))
      .sort((a, b) => compareNames(a.name, b.name))
  }

  requiredInputs(extension: string): FormFile[] {
    const found = this.inputs(extension)
    if (found.length === 0) this.problem(`no form file found for extensions: [${extension}]`)
    return found
  }

  /** The files of a form field. */
  filesOf(field: string): FormFile[] {
    return this.files.filter((file) => file.field === field)
  }

  problem(message: string): void {
    this.#problems.push(message.slice(0, maxProblemLength).toWellFormed())
  }

  /** Refuses the request if something is wrong, or a field was read by nobody. */
  finish(): void {
    if (this.#problems.length > 0) refuse(400, `Invalid form data: ${this.#problems.join('\n')}`)
    const unknown = [...this.#fields.keys()].filter((name) => !this.#known.has(name))
    if (unknown.length === 0) return
    refuse(400, `Invalid form data: ${unknown.map((name) => `form field '${name}' is not supported`).join('\n')}`)
  }
}

function withLowerExtension(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot === -1 ? name : name.slice(0, dot) + name.slice(dot).toLowerCase()
}

const byNumbers = new Intl.Collator('en', { numeric: true })

/** `page_2.pdf` comes before `page_10.pdf`. */
const compareNames = (a: string, b: string) => byNumbers.compare(a, b)
