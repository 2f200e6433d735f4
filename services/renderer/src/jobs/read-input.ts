import { RenderInput, type RenderPdf } from '@platen/domain/generation/generation.ts'
import { DomainError } from '@platen/domain/http/errors.ts'
import { keptInputOf } from '@platen/domain/streams/subjects.ts'
import { readBytes } from '@platen/foundation/runtime/read-bytes.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { MalformedMessage } from '@platen/messaging/envelopes/command-codec.ts'
import { ObjectNotFound, type ObjectStore } from '@platen/object-store/object-store.ts'
import { decodeInput } from '@platen/service-kit/inputs/input-codec.ts'
import type { KeptInputs } from '@platen/service-kit/inputs/kept-inputs.ts'
import { Compile } from 'typebox/compile'

const schema = Compile(RenderInput)

export interface InputStores {
  objects: Pick<ObjectStore, 'get'>
  keptInputs: Pick<KeptInputs, 'read'>
}

/**
 * Reads the input from the command, or from the object store by its key. Throws DomainError if the object is missing,
 * MalformedMessage if the input is invalid, ObjectStoreUnavailable, BusUnavailable, and the reason of `signal`.
 */
export async function readInput(
  { objects, keptInputs }: InputStores,
  { input, input_key: key }: RenderPdf['data'],
  signal: AbortSignal,
): Promise<RenderInput> {
  if (input) return input
  if (key === undefined) throw new MalformedMessage('the command has neither input nor input_key')
  const reading = keptInputOf(key) === undefined ? readStored(objects, key) : readKept(keptInputs, key)
  const stored = await untilAborted(reading, signal)
  if (schema.Check(stored)) return stored
  const [first] = schema.Errors(stored)
  throw new MalformedMessage(`the stored input is invalid: ${first?.instancePath || '/'} ${first?.message}`)
}

async function readStored(objects: InputStores['objects'], key: string): Promise<unknown> {
  try {
    return decodeInput(await readBytes(await objects.get(key)))
  } catch (cause) {
    if (!(cause instanceof ObjectNotFound)) throw cause
    throw new DomainError('INPUT_DELETED', gone, { cause })
  }
}

async function readKept(keptInputs: InputStores['keptInputs'], key: string): Promise<unknown> {
  const kept = await keptInputs.read(key)
  if (!kept) throw new DomainError('INPUT_DELETED', gone)
  return kept.input
}

const gone = 'The input of this generation is no longer stored'
