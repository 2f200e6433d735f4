import type { Warning } from '@platen/foundation/errors/warning.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import { partialSource, TemplateProblem } from './template-problem.ts'

/** A value that a template prints and that is not in the data, or that is an object or a list. */
export interface MissingValue {
  code: 'MISSING_VALUE' | 'OBJECT_PRINTED' | 'MISSING_TRANSLATION'
  /** The problem of the value at the path. */
  problem: string
  /** The path in the data, such as `items[2].price`; if that is unknown, the path in the template. */
  path: string
  /** Other items of the same lists with the same problem; at most 1,000. */
  others: number
  /** `html`, `header_html`, `footer_html` or `partial "<name>"`. */
  source: string
  /** The first place in the template that prints it. Both are counted from 1. */
  line: number
  column: number
}

/** A place in a template that prints a value. */
export interface PrintingSite {
  /** The path as the template has it. */
  path: string
  /** Its names from the object on that it begins with. */
  parts: readonly string[]
  line: number
  /** Counted from 0, as Handlebars does. */
  column: number
  /** The partial that it is in. */
  partial?: string | undefined
  /** How the helper of this name is called. */
  helper?: string | undefined
}

/** The most paths that are reported. One path in several items of a list counts once. */
const maxPaths = 20
const maxCounted = 1_000
/** Objects whose place in the data is looked up. Beyond that paths are those of the template. */
const maxObjects = 50_000
const maxChars = 200

interface Place {
  parent: object | undefined
  key: string | number
}

/** Collects the missing and unprintable values of one job. Nothing is done before the first one. */
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

  /** A value that is not in the data. `from`: the object that should have it. Throws a TemplateProblem if values are required. */
  note(from: unknown, site: PrintingSite): void {
    const keys = [...(this.#placeOf(from) ?? []), ...site.parts]
    const call = site.helper === undefined ? '' : `; to call the helper, write {{${site.helper}}}`
    this.#add({ code: 'MISSING_VALUE', problem: `is not in the data${call}` }, keys, site)
  }

  /** An object or a list that is printed. Throws a TemplateProblem if values are required. */
  noteObject(value: object, site: PrintingSite): void {
    const problem = Array.isArray(value)
      ? `is a list, printed with commas between its items; write {{join …}} or {{#each …}}`
      : 'is an object, printed as [object Object]'
    this.#add({ code: 'OBJECT_PRINTED', problem }, this.#placeOf(value) ?? [], site)
  }

  /** A key of {{t}} that has no text in the language. Throws a TemplateProblem if values are required. */
  noteTranslation(problem: string, site: PrintingSite): void {
    this.#add({ code: 'MISSING_TRANSLATION', problem }, [], site)
  }

  #add({ code, problem }: Pick<MissingValue, 'code' | 'problem'>, keys: (string | number)[], site: PrintingSite): void {
    const { path: written, line, column, partial } = site
    const path = (keys.length === 0 ? written : formatPath(keys)).slice(0, maxChars)
    if (this.#strict) {
      const message = `${path} ${problem}`
      throw new TemplateProblem('TEMPLATE_RENDER_ERROR', message, { line, column }, { path, partial })
    }
    const kind = `${code} ${keys.map((key) => (typeof key === 'number' ? '[]' : key)).join('\0') || written}`
    const known = this.#found.get(kind)
    if (known) {
      if (known.paths.size <= maxCounted) known.paths.add(path)
      known.others = known.paths.size - 1
    } else if (this.#found.size === maxPaths) {
      if (this.#beyond.size < maxCounted) this.#beyond.add(kind)
    } else {
      const source = partial === undefined ? this.source : partialSource(partial)
      const place = { source, line, column: column + 1 }
      this.#found.set(kind, { code, problem, path, others: 0, ...place, paths: new Set([path]) })
    }
  }

  /** How many paths there are of a code in addition to those of `list`; at most 1,000 of all. */
  beyond(code: MissingValue['code']): number {
    return [...this.#beyond].filter((kind) => kind.startsWith(code)).length
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
  const warnings = missing.list().map(({ code, problem, path, others, source, line, column }) => {
    const more = others === 0 ? '' : ` (and ${others} more like it)`
    const message = `${path} ${problem}${more}: ${source}, line ${line}, column ${column}`
    return { code, message, path, source, line, column }
  })
  const more: [MissingValue['code'], string][] = [
    ['MISSING_VALUE', 'more values are not in the data'],
    ['OBJECT_PRINTED', 'more values are objects or lists'],
    ['MISSING_TRANSLATION', 'more keys are not translated'],
  ]
  const beyond = more.flatMap(([code, what]) => {
    const count = missing.beyond(code)
    return count === 0 ? [] : [{ code, message: `${count} ${what}` }]
  })
  return [...warnings, ...beyond]
}
