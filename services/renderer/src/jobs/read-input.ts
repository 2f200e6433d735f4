import { RenderInput, type RenderPdf } from '@platen/domain/generation/generation.ts'
import { DomainError } from '@platen/domain/http/errors.ts'
import { keptInputOf } from '@platen/domain/streams/subjects.ts'
import { readBytes } from '@platen/foundation/runtime/read-bytes.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { BusUnavailable } from '@platen/messaging/connection/bus-unavailable.ts'
import { Released } from '@platen/messaging/consume/consume.ts'
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
  keyOf: (input: InputProof) => Promise<Uint8Array | undefined>
}

/** How long a document waits until it asks again for the key of its input. */
const askAgainMs = 5_000

/**
 * The key of a kept input; undefined for another one, and if it was erased. Throws Released while nobody hands it out, MalformedMessage
 * for a command without a proof, and the reason of `signal`.
 */
export async function inputKeyOf(
  { keyOf }: Pick<InputStores, 'keyOf'>,
  { input_key: object_key, input_proof: proof }: RenderPdf['data'],
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  if (object_key === undefined || keptInputOf(object_key) === undefined) return undefined
  if (proof === undefined) throw new MalformedMessage('the command has no input_proof')
  try {
    return await untilAborted(keyOf({ object_key, proof }), signal)
  } catch (cause) {
    if (!(cause instanceof BusUnavailable)) throw cause
    throw new Released(cause.message, { cause, delayMs: askAgainMs })
  }
}

/**
 * Reads the input from the command, or from the object store by its name; `key`: that of a kept one. Throws DomainError if the object is
 * missing, MalformedMessage if the input is invalid, ObjectStoreUnavailable, and the reason of `signal`.
 */
export async function readInput(
  { objects }: Pick<InputStores, 'objects'>,
  { input, input_key: name }: RenderPdf['data'],
  { key, signal }: { key: Uint8Array | undefined; signal: AbortSignal },
): Promise<RenderInput> {
  if (input) return input
  if (name === undefined) throw new MalformedMessage('the command has neither input nor input_key')
  const reading = keptInputOf(name) === undefined ? readStored(objects, name) : readKept(objects, name, key)
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

async function readKept(objects: InputStores['objects'], name: string, key?: Uint8Array): Promise<unknown> {
  const kept = key && (await openKept(objects, name, key))
  if (!kept) throw new DomainError('INPUT_DELETED', gone)
  return kept.input
}

const gone = 'The input of this generation is no longer stored'
