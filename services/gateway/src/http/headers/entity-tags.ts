import type { IncomingHttpHeaders } from 'node:http'
import { DomainError } from '@platen/domain/http/errors.ts'

/** A strong entity tag (RFC 9110, section 8.8.3). */
export const entityTag = (value: number | string) => `"${value}"`

/** The tag of the same content in a content coding: `"3"` and `br` give `"3-br"`. */
export const encodedTag = (tag: string, encoding: string) => tag.replace(/"$/, `-${encoding}"`)

const encodingSuffix = /-(?:br|gzip)$/

interface Tag {
  weak: boolean
  value: string
}

/** A tag, and the comma or the end after it. A tag may contain commas; a list may have empty elements. */
const listed = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(?:,|$)/y

/**
 * The value of `If-Match` or `If-None-Match`: `*` or a list of tags (RFC 9110, sections 5.6.1, 8.8.3 and 13.1). Throws
 * INVALID_REQUEST for anything else.
 */
function parseTags(name: string, header: string): '*' | Tag[] {
  if (header.trim() === '*') return '*'
  const tags: Tag[] = []
  listed.lastIndex = 0
  while (listed.lastIndex < header.length) {
    const [, weak, value] = listed.exec(header) ?? malformed(name)
    if (value !== undefined) tags.push({ weak: weak !== undefined, value: value.replace(encodingSuffix, '') })
  }
  return tags.length > 0 ? tags : malformed(name)
}

function malformed(name: string): never {
  throw new DomainError('INVALID_REQUEST', `The ${name} header must be * or a list of quoted entity tags such as "3"`)
}

/** A version, with a revision of its labels if it has any. */
const versionTag = /^([1-9]\d{0,8})(?:\.(0|[1-9]\d{0,8}))?$/

/**
 * The version that `If-Match` requires; undefined if it requires none. If a list contains the current version, the
 * current one. Throws PRECONDITION_FAILED if no tag can match: weak tags never do (RFC 9110, section 13.1.1), nor does
 * a tag with a revision of labels other than the current one (-1: there are none).
 */
export function versionToMatch(
  header: string | undefined,
  currentVersion: number,
  labelRevision = -1,
): number | undefined {
  if (header === undefined) return undefined
  const tags = parseTags('If-Match', header)
  if (tags === '*') return undefined
  const versions: number[] = []
  for (const { weak, value } of tags) {
    const [, version, revision = -1] = (!weak && versionTag.exec(value)) || []
    if (version !== undefined && Number(revision) <= labelRevision) versions.push(Number(version))
  }
  if (versions.includes(currentVersion)) return currentVersion
  // The view may lag behind the event store. The template service compares the version again.
  return versions.at(-1) ?? failPrecondition(currentVersion)
}

function failPrecondition(currentVersion: number): never {
  throw new DomainError(
    'PRECONDITION_FAILED',
    `The template is at version ${currentVersion}, which If-Match does not list`,
  )
}

/** Whether `If-Match` is absent or lists the current tag. Weak tags never match (RFC 9110, section 13.1.1). */
export function isMatch(header: string | undefined, current: number | string): boolean {
  if (header === undefined) return true
  const tags = parseTags('If-Match', header)
  return tags === '*' || tags.some(({ weak, value }) => !weak && value === String(current))
}

/** Whether `If-None-Match` lists the current tag. Weak and strong tags compare equal (RFC 9110, section 13.1.2). */
export function isNoneMatch(header: string | undefined, current: number | string): boolean {
  if (header === undefined) return false
  const tags = parseTags('If-None-Match', header)
  return tags === '*' || tags.some(({ value }) => value === String(current))
}

/** A request and what it asks for, as RFC 9110, section 13, compares them. */
export interface Conditions {
  headers: IncomingHttpHeaders
  /** The value of the current strong entity tag. */
  tag: string
  modifiedAt: Date
}

/** `If-Match`, or without it `If-Unmodified-Since`. If false, the response is a 412. */
export function isUnchanged({ headers, tag, modifiedAt }: Conditions): boolean {
  if (headers['if-match'] !== undefined) return isMatch(headers['if-match'], tag)
  const since = dateOf(headers['if-unmodified-since'])
  return since === undefined || seconds(modifiedAt) <= since
}

/** `If-None-Match`, or without it `If-Modified-Since`. If true, the response to a GET is a 304. */
export function isKnown({ headers, tag, modifiedAt }: Conditions): boolean {
  if (headers['if-none-match'] !== undefined) return isNoneMatch(headers['if-none-match'], tag)
  const since = dateOf(headers['if-modified-since'])
  return since !== undefined && seconds(modifiedAt) <= since
}

/** Seconds since the epoch; undefined for a date that is not valid, which is ignored. */
function dateOf(header: string | undefined): number | undefined {
  const ms = Date.parse(header ?? '')
  return Number.isNaN(ms) ? undefined : ms / 1_000
}

/** HTTP dates have no fractions. */
const seconds = (date: Date) => Math.floor(date.getTime() / 1_000)
