import type { IncomingHttpHeaders } from 'node:http'
import { isMatch, isNoneMatch } from './entity-tags.ts'

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
