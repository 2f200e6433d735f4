import { InvalidKey } from './object-store.ts'

const keyPattern = /^[a-z]+\/[\w.-]{1,200}$/

/** Splits a key such as `pdfs/pdf_….pdf`. Throws InvalidKey. */
export function parseKey(key: string): { category: string; name: string } {
  const [category = '', name = ''] = key.split('/')
  // The pattern allows `.` and `..`, which name folders in a file system.
  if (!keyPattern.test(key) || name === '.' || name === '..')
    throw new InvalidKey(`${JSON.stringify(key)} is not a valid key`)
  return { category, name }
}
