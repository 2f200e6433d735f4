import { createHash, randomBytes } from 'node:crypto'
import type { PdfOptions } from '@platen/domain/document/pdf-options.ts'
import { type KeptInput, keptUntilMs } from '@platen/domain/document/retain-input.ts'
import type { RenderInput } from '@platen/domain/generation/generation.ts'
import { freshMs } from '@platen/domain/generation/object-retention.ts'
import { buckets } from '@platen/domain/streams/buckets.ts'
import { keptInputOf, objectKeys } from '@platen/domain/streams/subjects.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { readBytes } from '@platen/foundation/runtime/read-bytes.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { BucketFull } from '@platen/messaging/connection/bus-unavailable.ts'
import { LazyBucket } from '@platen/messaging/key-value/lazy-bucket.ts'
import { type Counted, OwnerShare } from '@platen/messaging/key-value/owner-share.ts'
import { ObjectNotFound, type ObjectStore } from '@platen/object-store/object-store.ts'
import { decodeKept, encodeKept } from './input-codec.ts'
import { proofOf } from './input-keys.ts'
import { newSealKey, seal, sealedBytes, unseal } from './seal.ts'

/** The keys of so many bytes take some 60 MB of the bucket. */
const defaultMostBytes = 4 * 2 ** 30
/** An object takes at least a block of the disk, and a key its place in the bucket. */
const leastBytes = 16 * 1_024
/** What a key takes of the bucket: its message has some 230 bytes. */
const bytesOfKey = 256
const dayMs = 24 * 3_600_000

export interface InputToKeep {
  generationId: string
  ownerId: string
  days: number
  input: RenderInput
  /** The options of the request, without those of its template. Null: they are not known. */
  options: PdfOptions | null | undefined
}

/** A kept input that no command names. */
export interface InputToDiscard {
  generationId: string
  ownerId: string
  kept: KeptInput
  /** Whether an equal request may use the key of the generation. */
  mayShareKey: boolean
  /** When its request began to keep it, in ms since the epoch. */
  sinceMs: number
}

/** `proof`: by which a renderer is given the key. */
export type NewlyKept = KeptInput & { proof: string }

/** What is kept of a request: what was printed, and the options as they were requested, for another version of the template. */
export interface KeptContent {
  input: RenderInput
  /** Null: they are not known. */
  options?: PdfOptions | null
}

export interface KeptInputsOptions {
  bus: Bus
  objects: Pick<ObjectStore, 'put' | 'get' | 'delete'>
  /** How much an owner may keep at once. */
  mostBytesOfOwner?: number
}

/**
 * Inputs that are kept for a time. They are in the object store, encrypted with a key of their generation, which is in the bucket
 * INPUT_KEYS of NATS: without its key an object says nothing, wherever copies of it are.
 */
export class KeptInputs {
  readonly #objects: KeptInputsOptions['objects']
  readonly #bucket: LazyBucket
  readonly #share: OwnerShare

  constructor({ bus, objects, mostBytesOfOwner = defaultMostBytes }: KeptInputsOptions) {
    this.#objects = objects
    this.#bucket = new LazyBucket(bus, buckets.inputKeys)
    // The keys of an owner may take as much of the bucket as is free: one owner alone leaves half of it, two leave a third.
    this.#share = new OwnerShare(this.#bucket, {
      name: 'bytes',
      periodMs: dayMs,
      bytesOfOne: bytesOfKey / leastBytes,
      atMost: mostBytesOfOwner,
    })
  }

  /**
   * Resolves when the input is stored, to what its first event has of it, and the proof for its command. Undefined, without an effect,
   * if the owner has its share, or the bucket of the keys is full. Throws BusUnavailable and ObjectStoreUnavailable.
   */
  async keep({ generationId, ownerId, days, input, options }: InputToKeep): Promise<NewlyKept | undefined> {
    const object_key = objectKeys.keptInput(generationId, randomBytes(8).toString('hex'), days)
    const plain = encodeKept({ input, ...defined({ options }) })
    const share = shareOf(ownerId, generationId, { days, bytes: sealedBytes(plain.byteLength) })
    const sinceMs = this.#bucket.now()
    if (!(await this.#share.take(share).catch(refusedIfFull))) return undefined
    try {
      // The key is stored first: an object whose key is not stored could never be read.
      const key = await this.#newKey(generationId)
      const sealed = seal(plain, key, object_key)
      await this.#objects.put(object_key, sealed, 'application/octet-stream')
      const sha256 = createHash('sha256').update(sealed).digest('hex')
      return { object_key, days, bytes: sealed.byteLength, sha256, proof: proofOf(key, object_key) }
    } catch (err) {
      // The object may be stored, and whoever finds it gives its share back. What is not given back counts until its day.
      await this.#objects
        .delete(object_key)
        .then(() => (this.#mayGiveBack(sinceMs) ? this.#share.giveBack(share) : undefined))
        .catch(() => {})
      if (err instanceof BucketFull) return undefined
      throw err
    }
  }

  /**
   * Asked when the object is deleted. Later the janitor may have found the object and given its share back; what nobody gives back counts
   * until its day.
   */
  #mayGiveBack(sinceMs: number): boolean {
    return this.#bucket.now() - sinceMs <= freshMs
  }

  /** Deletes a kept input that no command names. Throws BusUnavailable and ObjectStoreUnavailable. */
  async discard({ generationId, ownerId, kept, mayShareKey, sinceMs }: InputToDiscard): Promise<void> {
    if (!mayShareKey) await this.eraseKey(generationId)
    await this.#objects.delete(kept.object_key)
    if (this.#mayGiveBack(sinceMs)) await this.release(ownerId, generationId, kept)
  }

  /**
   * The content of a kept input; undefined if it was erased, has expired, or the key store has lost its key. Its fields are not
   * checked. Throws BusUnavailable and ObjectStoreUnavailable.
   */
  async read(objectKey: string): Promise<KeptContent | undefined> {
    const key = await this.keyOf(objectKey)
    return key && openKept(this.#objects, objectKey, key)
  }

  /** The key of an object; undefined if it was erased, or for another object. Throws BusUnavailable. */
  async keyOf(objectKey: string): Promise<Uint8Array | undefined> {
    const generation = keptInputOf(objectKey)?.generationId
    if (generation === undefined) return undefined
    const { value } = await this.#bucket.readCurrent(generation)
    return value === undefined ? undefined : Buffer.from(value, 'base64')
  }

  /** The generations that have a key. Throws BusUnavailable. */
  keys(): Promise<Set<string>> {
    return this.#bucket.keys()
  }

  /**
   * Deletes the key, so that no copy of the input can be read. The caller deletes the objects. Resolves to whether this call has
   * deleted it, and no other one. With `unusedSince`, a key that a request has used since then is left. Throws BusUnavailable.
   */
  async eraseKey(generationId: string, unusedSince?: Date): Promise<boolean> {
    return this.#bucket.erase(generationId, unusedSince)
  }

  /** The owner may keep as much again. To be called once. Throws BusUnavailable. */
  async release(ownerId: string, generationId: string, kept: Pick<KeptInput, 'days' | 'bytes'>): Promise<void> {
    await this.#share.giveBack(shareOf(ownerId, generationId, kept))
  }

  /** Equal requests at once have one generation, and use one key. */
  async #newKey(generationId: string): Promise<Buffer> {
    for (;;) {
      const key = newSealKey()
      if ((await this.#bucket.write(generationId, key.toString('base64'), 0)) !== undefined) return key
      const { value, revision } = await this.#bucket.readCurrent(generationId)
      // Written again, so that a sweep of what crashed requests have left sees that it is in use.
      const isSeen = value !== undefined && (await this.#bucket.write(generationId, value, revision)) !== undefined
      if (isSeen) return Buffer.from(value, 'base64')
    }
  }
}

/** The content of a kept input; undefined if its object was deleted. Throws ObjectStoreUnavailable. */
export async function openKept(
  objects: Pick<ObjectStore, 'get'>,
  objectKey: string,
  key: Uint8Array,
): Promise<KeptContent | undefined> {
  try {
    const sealed = await readBytes(await objects.get(objectKey))
    return decodeKept(unseal(sealed, key, objectKey)) as KeptContent
  } catch (err) {
    if (err instanceof ObjectNotFound) return undefined
    throw err
  }
}

function shareOf(ownerId: string, generationId: string, { days, bytes }: Pick<KeptInput, 'days' | 'bytes'>): Counted {
  return { ownerId, amount: Math.max(bytes, leastBytes), untilMs: keptUntilMs(generationId, days) }
}

function refusedIfFull(err: unknown): false {
  if (err instanceof BucketFull) return false
  throw err
}
