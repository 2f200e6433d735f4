import { type BatchBody, BatchItem } from '@platen/domain/batch/batch.ts'
import { DomainError, fail } from '@platen/domain/http/errors.ts'
import { isJsonObject } from '@platen/foundation/json/is-json-object.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
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
    const read = async (place: ItemPlace) => ({ item, fileName: itemFileName(item as JsonObject, place) })
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
  const read = bytes.length <= largeBytes ? readSmall(bytes, place) : await readLarge(request, bytes, place)
  checkAgain(request, BatchItem, read.item)
  return read
}

function readSmall(bytes: Buffer, place: ItemPlace): ReadItem {
  const item = named(() => parseBody(bytes)) as BatchItem
  return { item, fileName: isJsonObject(item) ? itemFileName(item, place) : undefined }
}

async function readLarge(request: FastifyRequest, bytes: Buffer, place: ItemPlace): Promise<ReadItem> {
  const { ownerId: owner, apiKeyId: key } = callerOf(request)
  const task = {
    bytes,
    schema: bodySchema(BatchItem as BodySchema),
    textFields: ['data'],
    isHashed: false,
    item: place,
  }
  const read = await readInThread(request, task, { caller: { owner, key }, patience: {} }).catch((err) => {
    throw ofLine(err)
  })
  const { value, jsons, fileName } = read
  return { item: value as BatchItem, data_json: jsons.data, fileName }
}

function named<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (err) {
    throw ofLine(err)
  }
}

function ofLine(err: unknown): unknown {
  if (!(err instanceof DomainError)) return err
  const { code, message, details } = err
  return new DomainError(code, message.replace('The request body', 'the line'), { details })
}
