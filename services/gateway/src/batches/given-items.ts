import { type BatchBody, BatchItem } from '@platen/domain/batch/batch.ts'
import { DomainError, fail } from '@platen/domain/http/errors.ts'
import type { FastifyRequest } from 'fastify'
import { callerOf } from '../generations/find-generation.ts'
import type { ItemPlace } from '../http/bodies/body-protocol.ts'
import { type BodySchema, bodySchema } from '../http/bodies/excerpt.ts'
import { itemFileName } from '../http/bodies/file-names.ts'
import { parseBody } from '../http/bodies/parse-body.ts'
import type { Arriving } from '../http/bodies/receive.ts'
import { largeBytes, readInThread } from '../http/plugins/json-parser.ts'
import { checkAgain } from '../http/plugins/validation.ts'
import type { GivenItem, ReadItem } from './accept-items.ts'
import { readLines } from './read-lines.ts'

export const linesType = 'application/x-ndjson'

/** The items of a JSON body, which was validated. */
export function* itemsOfBody({ items }: BatchBody): Generator<GivenItem> {
  for (const [at, item] of items.entries()) {
    const read = async (place: ItemPlace) => ({ item, fileName: itemFileName(item, place) })
    yield { place: `items.${at}.`, read }
  }
}

/** The items of a body of lines, each read on demand. */
export async function* itemsOfLines(
  request: FastifyRequest,
  body: Arriving,
  onBytes: (bytes: Buffer) => void,
): AsyncGenerator<GivenItem> {
  let line = 0
  for await (const bytes of readLines(body, onBytes)) {
    line += 1
    yield { place: `line ${line}: `, read: (place) => readItem(request, bytes, place) }
  }
}

async function readItem(request: FastifyRequest, bytes: Buffer, place: ItemPlace): Promise<ReadItem> {
  if (bytes.length === 0) fail('INVALID_JSON', 'the line is empty; it must be a JSON object')
  const read = await parseLine(request, bytes, place).catch((err) => {
    if (!(err instanceof DomainError)) throw err
    return fail(err.code, err.message.replace('The request body', 'the line'), err.details)
  })
  checkAgain(request, BatchItem, read.item)
  return read
}

/** A long line in the thread. */
async function parseLine(request: FastifyRequest, bytes: Buffer, place: ItemPlace): Promise<ReadItem> {
  if (bytes.length <= largeBytes) {
    const item = parseBody(bytes)
    return { item: item as BatchItem, fileName: itemFileName(item, place) }
  }
  const { ownerId: owner, apiKeyId: key } = callerOf(request)
  const schema = bodySchema(BatchItem as BodySchema)
  const task = { bytes, schema, textFields: ['data'], isHashed: false, item: place }
  const { value, jsons, fileName } = await readInThread(request, task, { caller: { owner, key }, patience: {} })
  return { item: value as BatchItem, data_json: jsons.data, fileName }
}
