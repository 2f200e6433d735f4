import { buffer } from 'node:stream/consumers'
import { RenderInput, type RenderPdf } from '@platen/domain/generation/generation.ts'
import { DomainError } from '@platen/domain/http/errors.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { MalformedMessage } from '@platen/messaging/envelopes/command-codec.ts'
import { ObjectNotFound, type ObjectStore } from '@platen/object-store/object-store.ts'
import { decodeInput } from '@platen/service-kit/commands/input-codec.ts'
import { Compile } from 'typebox/compile'

const schema = Compile(RenderInput)

/**
 * Reads the input from the command, or from the object store by its key. Throws DomainError if the object is missing,
 * MalformedMessage if the input is invalid, ObjectStoreUnavailable, and the reason of `signal`.
 */
export async function readInput(
  objects: ObjectStore,
  { input, input_key: key }: RenderPdf['data'],
  signal: AbortSignal,
): Promise<RenderInput> {
  if (input) return input
  if (key === undefined) throw new MalformedMessage('the command has neither input nor input_key')
  const bytes = getObject(objects, key).then(buffer)
  const stored = decodeInput(await untilAborted(bytes, signal))
  if (schema.Check(stored)) return stored
  const [first] = schema.Errors(stored)
  throw new MalformedMessage(`the stored input is invalid: ${first?.instancePath || '/'} ${first?.message}`)
}

async function getObject(objects: ObjectStore, key: string) {
  try {
    return await objects.get(key)
  } catch (cause) {
    if (!(cause instanceof ObjectNotFound)) throw cause
    throw new DomainError('INPUT_DELETED', 'The input of this generation is no longer stored', { cause })
  }
}
