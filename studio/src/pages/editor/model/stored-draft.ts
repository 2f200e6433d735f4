import { type Fields, fieldNames } from './fields.ts'

/** Unsaved work in the storage of the browser. Each window has its own, so that none removes or replaces that of another. */
export interface StoredDraft {
  /** The version of the template that was changed, and its fields: another one may be saved by now. */
  version: number
  base: Fields
  /** ISO 8601. */
  at: string
  fields: Fields
}

/** A draft with its name in the storage. */
export interface FoundDraft extends StoredDraft {
  name: string
}

const prefixOf = (owner: string, template: string) => `platen-draft ${owner} ${template} `

/** A name for the draft of this window. */
export const newDraftName = (owner: string, template: string): string =>
  prefixOf(owner, template) + crypto.getRandomValues(new Uint32Array(2)).join('-')

export function storeDraft(name: string, draft: StoredDraft): void {
  try {
    localStorage.setItem(name, JSON.stringify(draft))
  } catch {
    // The storage is full or forbidden: the question before leaving remains.
  }
}

export function forgetDraft(name: string): void {
  localStorage.removeItem(name)
}

/** The newest draft of the template. */
export function newestDraft(owner: string, template: string): FoundDraft | undefined {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(prefixOf(owner, template)))
  return names
    .flatMap((name) => readDraft(name) ?? [])
    .toSorted((one, other) => one.at.localeCompare(other.at))
    .at(-1)
}

function readDraft(name: string): FoundDraft | undefined {
  try {
    const draft = JSON.parse(localStorage.getItem(name) ?? 'null') as StoredDraft | null
    const isWhole = (fields: Fields) => fieldNames.every((field) => typeof fields[field] !== 'undefined')
    return draft !== null && isWhole(draft.fields) && isWhole(draft.base) ? { ...draft, name } : undefined
  } catch {
    return undefined
  }
}
