import { type Fields, fieldNames } from './fields.ts'

/** Unsaved work in the storage of the browser. */
export interface StoredDraft {
  /** The version of the template that was changed, and its fields: another one may be saved by now. */
  version: number
  base: Fields
  /** ISO 8601. */
  at: string
  fields: Fields
}

const nameOf = (owner: string, template: string) => `platen-draft ${owner} ${template}`

export function storeDraft(owner: string, template: string, draft: StoredDraft): void {
  try {
    localStorage.setItem(nameOf(owner, template), JSON.stringify(draft))
  } catch {
    // The storage is full or forbidden: the question before leaving remains.
  }
}

export function forgetDraft(owner: string, template: string): void {
  localStorage.removeItem(nameOf(owner, template))
}

export function storedDraft(owner: string, template: string): StoredDraft | undefined {
  try {
    const draft = JSON.parse(localStorage.getItem(nameOf(owner, template)) ?? 'null') as StoredDraft | null
    const isWhole = (fields: Fields) => fieldNames.every((name) => typeof fields[name] !== 'undefined')
    return draft !== null && isWhole(draft.fields) && isWhole(draft.base) ? draft : undefined
  } catch {
    return undefined
  }
}
