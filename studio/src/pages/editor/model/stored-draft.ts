import type { Fields } from './fields.ts'

/** Unsaved work in the storage of the browser. Each window has its own, so that none removes or replaces that of another. */
export interface StoredDraft {
  /** The version of the template that was changed. Another one may be saved by now. */
  version: number
  /** ISO 8601. */
  at: string
  /** The fields that were changed, before and after: a browser stores a few MB in all. */
  base: Partial<Fields>
  fields: Partial<Fields>
}

/** A draft with its name in the storage. */
export interface FoundDraft extends StoredDraft {
  name: string
}

const prefixOf = (owner: string, template: string) => `platen-draft ${owner} ${template} `

/** A name for the draft of this window. */
export const newDraftName = (owner: string, template: string): string =>
  prefixOf(owner, template) + crypto.getRandomValues(new Uint32Array(2)).join('-')

/** Returns whether it is stored: the storage may be full or forbidden. */
export function storeDraft(name: string, draft: StoredDraft): boolean {
  try {
    localStorage.setItem(name, JSON.stringify(draft))
    return true
  } catch {
    return false
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

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null

function readDraft(name: string): FoundDraft | undefined {
  try {
    const draft = JSON.parse(localStorage.getItem(name) ?? 'null') as StoredDraft | null
    if (draft === null || typeof draft.at !== 'string') return undefined
    return isObject(draft.base) && isObject(draft.fields) ? { ...draft, name } : undefined
  } catch {
    return undefined
  }
}
