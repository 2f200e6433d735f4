import { InvalidKey } from './object-store.ts'

const keyPattern = /^[a-z]+\/[\w.-]{1,200}$/

/** Splits a key such as `pdfs/pdf_….pdf`. Throws InvalidKey. */
export function parseKey(key: string): { category: string; name: string } {
  if (!isKey(key)) throw new InvalidKey(`${JSON.stringify(key)} is not a valid key`)
  const [category = '', name = ''] = key.split('/')
  return { category, name }
}

/** Throws InvalidKey unless `category` is the first part of keys. */
export function assertCategory(category: string): void {
  if (!/^[a-z]+$/.test(category)) throw new InvalidKey(`${JSON.stringify(category)} is not a valid category`)
}

/** Whether the store may have an object with this key. Other files in its folder or bucket are not objects. */
export function isKey(key: string): boolean {
  // The pattern allows `.` and `..`, which name folders in a file system.
  return keyPattern.test(key) && !/\/\.{1,2}$/.test(key)
}
