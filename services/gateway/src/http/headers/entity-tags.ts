import { DomainError } from '@platen/shared/runtime/errors.ts'

/** RFC 9110, section 8.8.3: the version of a template as a strong tag. */
export const entityTag = (value: number | string) => `"${value}"`

interface Tag {
  weak: boolean
  value: string
}

/** `*`, or the tags of `If-Match` and `If-None-Match`. Throws INVALID_REQUEST for anything else. */
function parseTags(name: string, header: string): '*' | Tag[] {
  if (header.trim() === '*') return '*'
  const list = header.split(',').map((part) => part.trim())
  return list.map((part) => {
    const [, weak, value] = /^(W\/)?"([\x21\x23-\x7e]*)"$/.exec(part) ?? []
    if (value !== undefined) return { weak: weak !== undefined, value }
    throw new DomainError('INVALID_REQUEST', `${name} must be * or a list of entity tags such as "3"`)
  })
}

/**
 * The version that `If-Match` makes a condition; undefined for none. Of a list, the current one where it is there.
 * Throws PRECONDITION_FAILED when no tag can match: weak ones never do (RFC 9110, section 13.1.1).
 */
export function versionToMatch(header: string | undefined, currentVersion: number): number | undefined {
  if (header === undefined) return undefined
  const tags = parseTags('If-Match', header)
  if (tags === '*') return undefined
  const versions = tags
    .filter(({ weak, value }) => !weak && /^[1-9]\d{0,8}$/.test(value))
    .map(({ value }) => Number(value))
  if (versions.includes(currentVersion)) return currentVersion
  // The view may lag behind: the template itself decides.
  return versions.at(-1) ?? failPrecondition(currentVersion)
}

function failPrecondition(currentVersion: number): never {
  throw new DomainError('PRECONDITION_FAILED', `The template is at version ${currentVersion}`)
}

/** Whether `If-None-Match` names what the client has already; weak and strong are alike here. */
export function isNoneMatch(header: string | undefined, current: number | string): boolean {
  if (header === undefined) return false
  const tags = parseTags('If-None-Match', header)
  return tags === '*' || tags.some(({ value }) => value === String(current))
}
