import { InvalidKey } from './object-store.ts'

const keyPattern = /^[a-z]+\/[\w.-]{1,200}$/

/** The two parts of a key, `pdfs` and `pdf_….pdf`. Throws InvalidKey. */
export function parseKey(key: string): { category: string; name: string } {
  const [category = '', name = ''] = key.split('/')
  // The pattern lets `.` and `..` through, which a file system reads as folders.
  if (!keyPattern.test(key) || name === '.' || name === '..')
    throw new InvalidKey(`${JSON.stringify(key)} is not a key`)
  return { category, name }
}
