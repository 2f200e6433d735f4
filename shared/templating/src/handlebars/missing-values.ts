import type { Warning } from '@platen/foundation/errors/warning.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import { partialSource, TemplateProblem } from './template-problem.ts'

/** A value that a template prints and that is not in the data. */
export interface MissingValue {
  /** In the data: `items[2].price`. As the template has it, if its place in the data is not known. */
  path: string
  /** Other items of the same lists that miss it, too; at most 1,000. */
  others: number
  /** `html`, `header_html`, `footer_html` or `partial "<name>"`. */
  source: string
  /** Where the template prints it first. Both are counted from 1. */
  line: number
  column: number
}

/** A place in a template that prints a value. */
export interface PrintingSite {
  /** As it is written. */
  path: string
  /** Its names from the object on that it begins with. */
  parts: readonly string[]
  line: number
  /** Counted from 0, as Handlebars does. */
  column: number
  /** The partial that it is in. */
  partial?: string | undefined
}

/** The same path in different items of a list counts as one. */
const maxPaths = 20
const maxCounted = 1_000
/** Objects whose place in the data is looked up. Beyond that paths are those of the template. */
const maxObjects = 50_000
const maxChars = 200

interface Place {
  parent: object | undefined
  key: string | number
}

/** Collects the missing values of one job. Nothing is done before the first one. */
export class MissingValues {
  /** The source that is filled at present. */
  source = ''
  readonly #data: JsonObject
  readonly #strict: boolean
  /** Paths in addition to those of `list`. */
  readonly #beyond = new Set<string>()
  readonly #found = new Map<string, MissingValue & { paths: Set<string> }>()
  #places: Map<object, Place> | undefined

  constructor({ data, strict }: { data: JsonObject; strict: boolean }) {
    this.#data = data
    this.#strict = strict
  }

  /** Throws a TemplateProblem if values are required. */
  note(from: unknown, { path: written, parts, line, column, partial }: PrintingSite): void {
    const place = this.#placeOf(from)
    const keys = [...(place ?? []), ...parts]
    const path = (keys.length === 0 ? written : formatPath(keys)).slice(0, maxChars)
    if (this.#strict) {
      throw new TemplateProblem(
        'TEMPLATE_RENDER_ERROR',
        `${path} is not in the data`,
        { line, column },
        { path, partial },
      )
    }
    const kind = keys.map((key) => (typeof key === 'number' ? '[]' : key)).join('\0') || written
    const known = this.#found.get(kind)
    if (known) {
      if (known.paths.size <= maxCounted) known.paths.add(path)
      known.others = known.paths.size - 1
    } else if (this.#found.size === maxPaths) {
      if (this.#beyond.size < maxCounted) this.#beyond.add(kind)
    } else {
      const source = partial === undefined ? this.source : partialSource(partial)
      this.#found.set(kind, { path, others: 0, source, line, column: column + 1, paths: new Set([path]) })
    }
  }

  /** How many paths there are in addition to those of `list`; at most 1,000. */
  get beyond(): number {
    return this.#beyond.size
  }

  list(): MissingValue[] {
    return Array.from(this.#found.values(), ({ paths: _, ...value }) => value)
  }

  /** The keys that lead to an object of the data. Undefined for other values, such as the results of helpers. */
  #placeOf(value: unknown): (string | number)[] | undefined {
    if (value === this.#data) return []
    if (typeof value !== 'object' || value === null) return undefined
    this.#places ??= placesIn(this.#data)
    const keys: (string | number)[] = []
    for (let object: object | undefined = value; object !== this.#data; ) {
      const place: Place | undefined = object && this.#places.get(object)
      if (!place) return undefined
      keys.unshift(place.key)
      object = place.parent
    }
    return keys
  }
}

function placesIn(data: object): Map<object, Place> {
  const places = new Map<object, Place>([[data, { parent: undefined, key: '' }]])
  for (const parent of places.keys()) {
    if (places.size > maxObjects) break
    const isList = Array.isArray(parent)
    for (const [name, value] of Object.entries(parent)) {
      if (typeof value === 'object' && value !== null) places.set(value, { parent, key: isList ? Number(name) : name })
    }
  }
  return places
}

/** `customer["first name"]`, `items[2].price`. */
function formatPath(keys: readonly (string | number)[]): string {
  return keys
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`
      if (!/^[\p{L}_$@][\p{L}\p{N}_$-]*$/u.test(key)) return `[${JSON.stringify(key)}]`
      return index === 0 ? key : `.${key}`
    })
    .join('')
}

export function missingValueWarnings(missing: MissingValues): Warning[] {
  const warnings = missing.list().map(({ path, others, source, line, column }) => {
    const more = others === 0 ? '' : ` (and ${others} more like it)`
    return warning(`${path} is not in the data${more}: ${source}, line ${line}, column ${column}`, path)
  })
  return missing.beyond === 0 ? warnings : [...warnings, warning(`${missing.beyond} more values are not in the data`)]
}

const warning = (message: string, path?: string): Warning => ({
  code: 'MISSING_VALUE',
  message,
  ...(path !== undefined && { path }),
})
