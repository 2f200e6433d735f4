import type { Readable } from 'node:stream'
import { type BatchBody, BatchItem } from '@platen/domain/batch/batch.ts'
import { DomainError, fail } from '@platen/domain/http/errors.ts'
import type { FastifyRequest } from 'fastify'
import { parseBody } from '../http/bodies/parse-body.ts'
import { checkAgain } from '../http/plugins/validation.ts'
import type { GivenItem } from './accept-items.ts'
import { readLines } from './read-lines.ts'

export const linesType = 'application/x-ndjson'

/** The items of a JSON body, which was validated. */
export function* itemsOfBody({ items }: BatchBody): Generator<GivenItem> {
  for (const [at, item] of items.entries()) yield { place: `items.${at}.`, read: () => item }
}

/** The items of a body of lines, each read on demand. */
export async function* itemsOfLines(
  request: FastifyRequest,
  body: Readable,
  onBytes: (bytes: Buffer) => void,
): AsyncGenerator<GivenItem> {
  let line = 0
  for await (const bytes of readLines(body, onBytes)) {
    line += 1
    yield { place: `line ${line}: `, read: () => readItem(request, bytes) }
  }
}

function readItem(request: FastifyRequest, bytes: Buffer): BatchItem {
  if (bytes.length === 0) fail('INVALID_JSON', 'the line is empty; it must be a JSON object')
  const value = parseLine(bytes)
  checkAgain(request, BatchItem, value)
  return value as BatchItem
}

function parseLine(bytes: Buffer): unknown {
  try {
    return parseBody(bytes)
  } catch (err) {
    if (!(err instanceof DomainError)) throw err
    return fail(err.code, err.message.replace('The request body', 'the line'), err.details)
  }
}
