import { posix } from 'node:path'
import { isJsonObject } from '@platen/foundation/json/is-json-object.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import { readZip } from './read-zip.ts'

export const exportLimits = { entries: 10_000, entryBytes: 32 * 1024 * 1024, totalBytes: 512 * 1024 * 1024 } as const

/** A template, asset or other thing of jsreport. */
export interface Entity {
  /** The set that it is in, such as `templates`. */
  set: string
  /** The id that others refer to it by. */
  shortid: string
  name: string
  /** The path of its folder; empty at the top. */
  folder: string
  /** As its documents are stored in jsreport. */
  fields: JsonObject
}

/** How reports name an entity: `templates/sales/Invoice`. */
export const nameOf = ({ set, folder, name }: Entity): string => posix.join(set, folder, name)

/** The content of a file that jsreport exports (`*.jsrexport`): a ZIP archive with a JSON file for each entity. */
export class JsreportExport {
  readonly entities: readonly Entity[]
  readonly #byPath = new Map<string, Entity>()

  constructor(entities: readonly Entity[]) {
    this.entities = entities
    for (const entity of entities) this.#byPath.set(`${entity.set}:${posix.join(entity.folder, entity.name)}`, entity)
  }

  of(set: string): Entity[] {
    return this.entities.filter((entity) => entity.set === set)
  }

  byShortid(set: string, shortid: unknown): Entity | undefined {
    return this.entities.find((entity) => entity.set === set && entity.shortid === shortid)
  }

  /** The entity of a path as jsreport finds it: from a folder, from the top, or by a name that only one has. */
  find(set: string, path: string, folder: string): Entity | undefined {
    const from = path.startsWith('/') ? '' : folder
    const found = this.#byPath.get(`${set}:${inside(from, path)}`) ?? this.#byPath.get(`${set}:${inside('', path)}`)
    if (found || path.includes('/')) return found
    const [only, another] = this.of(set).filter(({ name }) => name === path)
    return another ? undefined : only
  }
}

const inside = (folder: string, path: string) => posix.join('/', folder, path).slice(1)

/** Throws for a file that is no export of jsreport. */
export async function readExport(bytes: Buffer): Promise<JsreportExport> {
  const files = await readZip(bytes, exportLimits)
  if (!files.has('metadata.json')) throw new Error('it has no metadata.json, and is no export of jsreport')
  const documents = [...files].flatMap(([path, content]) => {
    const slash = path.indexOf('/')
    return slash === -1 ? [] : [{ set: path.slice(0, slash), fields: parse(path, content) }]
  })
  const folders = new Map(
    documents.filter(({ set }) => set === 'folders').map(({ fields }) => [textOf(fields.shortid), fields]),
  )
  const entities = documents
    .filter(({ set }) => set !== 'folders')
    .map(({ set, fields }): Entity => {
      const shortid = textOf(fields.shortid) || textOf(fields._id)
      return { set, shortid, name: textOf(fields.name) || shortid, folder: folderOf(fields, folders), fields }
    })
  return new JsreportExport(entities)
}

function parse(path: string, content: Buffer): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(content.toString())
  } catch (err) {
    throw new Error(`${path} is not JSON: ${(err as Error).message}`, { cause: err })
  }
  if (!isJsonObject(value)) throw new Error(`${path} is no JSON object`)
  return value
}

function folderOf(fields: JsonObject, folders: ReadonlyMap<string, JsonObject>): string {
  const names: string[] = []
  const seen = new Set<JsonObject>()
  for (let at: JsonObject | undefined = fields; at; ) {
    const reference: unknown = at.folder
    at = isJsonObject(reference) ? folders.get(textOf(reference.shortid)) : undefined
    // Folders that are in each other are damage.
    if (!at || seen.has(at)) break
    seen.add(at)
    names.unshift(textOf(at.name))
  }
  return names.join('/')
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
export const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})
