import type { Bookmark } from '@platen/domain/document/pdf-operation.ts'
import { isJsonObject } from '@platen/foundation/json/is-json-object.ts'
import type { Form } from '../form/form.ts'
import { parseJson } from '../form/parse-values.ts'

/** One outline for all PDFs, or one by the name of each. */
export interface GivenBookmarks {
  list?: Bookmark[]
  byName?: Record<string, Bookmark[]>
}

const maxDepth = 64

export function readBookmarks(form: Form, { isRequired = false } = {}): GivenBookmarks | undefined {
  if (isRequired) form.require('bookmarks')
  return form.parsed<GivenBookmarks | undefined>('bookmarks', undefined, (text) => {
    const value = unmarshal(text)
    if (Array.isArray(value)) return { list: listOf(value) }
    if (!isJsonObject(value)) throw new Error('unmarshal bookmarks: it must be a list or an object of lists')
    const entries = Object.entries(value).map(([name, list]) => [name, listOf(list)] as const)
    return { byName: Object.fromEntries(entries) }
  })
}

function unmarshal(text: string): unknown {
  try {
    return parseJson(text)
  } catch (err) {
    throw new Error(`unmarshal bookmarks: ${(err as Error).message}`)
  }
}

function listOf(value: unknown, depth = 0): Bookmark[] {
  if (!Array.isArray(value) || depth > maxDepth) throw new Error('unmarshal bookmarks: it must be a list of bookmarks')
  return value.map((item: unknown) => {
    const { title, page, children = [] } = isJsonObject(item) ? item : {}
    if (typeof title !== 'string' || typeof page !== 'number' || !Number.isInteger(page) || page < 1) {
      throw new Error('unmarshal bookmarks: each must have a title and a page from 1')
    }
    const below = children === null ? [] : listOf(children, depth + 1)
    return { title, page, ...(below.length > 0 && { children: below }) }
  })
}
