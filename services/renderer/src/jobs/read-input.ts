import { RenderInput, type RenderPdf } from '@platen/domain/generation/generation.ts'
import { DomainError } from '@platen/domain/http/errors.ts'
import { keptInputOf } from '@platen/domain/streams/subjects.ts'
import { readBytes } from '@platen/foundation/runtime/read-bytes.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { MalformedMessage } from '@platen/messaging/envelopes/command-codec.ts'
import { ObjectNotFound, type ObjectStore } from '@platen/object-store/object-store.ts'
import { decodeInput } from '@platen/service-kit/inputs/input-codec.ts'
import type { InputProof } from '@platen/service-kit/inputs/input-keys.ts'
import { openKept } from '@platen/service-kit/inputs/kept-inputs.ts'
import { Compile } from 'typebox/compile'

const schema = Compile(RenderInput)

export interface InputStores {
  objects: Pick<ObjectStore, 'get'>
  /** The key of a kept input; undefined if it was erased. Throws BusUnavailable. */
  keyOf: (at: InputProof) => Promise<Uint8Array | undefined>
}

/**
 * Reads the input from the command, or from the object store by its key. Throws DomainError if the object is missing,
 * MalformedMessage if the input is invalid, ObjectStoreUnavailable, BusUnavailable, and the reason of `signal`.
 */
export async function readInput(
  stores: InputStores,
  { input, input_key: key, input_proof: proof }: RenderPdf['data'],
  signal: AbortSignal,
): Promise<RenderInput> {
  if (input) return input
  if (key === undefined) throw new MalformedMessage('the command has neither input nor input_key')
  const reading = keptInputOf(key) === undefined ? readStored(stores.objects, key) : readKept(stores, key, proof)
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

async function readKept({ objects, keyOf }: InputStores, object_key: string, proof?: string): Promise<unknown> {
  if (proof === undefined) throw new MalformedMessage('the command has no input_proof')
  const key = await keyOf({ object_key, proof })
  const kept = key && (await openKept(objects, object_key, key))
  if (!kept) throw new DomainError('INPUT_DELETED', gone)
  return kept.input
}

const gone = 'The input of this generation is no longer stored'
