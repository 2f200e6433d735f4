import { randomBytes } from 'node:crypto'
import { type AssetContentStored, assetContentFold, assetContentStream } from '@platen/domain/asset/asset-content.ts'
import { objectKeys } from '@platen/domain/streams/subjects.ts'
import { type EventStore, WrongExpectedRevision } from '@platen/event-store/event-store.ts'
import { load, newEvent } from '@platen/event-store/handle-command.ts'
import type { CommandMetadata } from '@platen/foundation/command.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import type { Upload } from './read-upload.ts'

export type ContentDescription = Omit<AssetContentStored['data'], 'object'>

export interface StoreContent {
  ownerId: string
  upload: Upload
  content: ContentDescription
  metadata: CommandMetadata
}

/** A conflict is an upload of the same bytes, or a sweep. More are a bug. */
const maxConflicts = 20

/**
 * Returns the object with these bytes of an owner. An object that an event names is never swept, and is written again
 * if it is lost. Until the event is recorded, the bytes are in an object of this upload alone. A sweep that wants to
 * delete it must first record that, and then the append here fails. Throws the errors of both stores.
 */
export async function storeContent(
  { store, objects }: { store: EventStore; objects: ObjectStore },
  { ownerId, upload: { bytes, sha256 }, content, metadata }: StoreContent,
): Promise<string> {
  const stream = assetContentStream(ownerId, sha256)
  for (let conflicts = 0; ; conflicts++) {
    const { state, revision } = await load(store, assetContentFold, stream)
    const isNamed = state.status === 'stored'
    const object = isNamed ? state.object : randomBytes(8).toString('hex')
    const key = objectKeys.asset(ownerId, sha256, object)
    if (!isNamed || (await objects.info(key)) === undefined) await objects.put(key, bytes, content.type)
    // The same bytes may have been stored with another type.
    if (isNamed && state.type === content.type) return object
    const event = { type: 'AssetContentStored', data: { object, ...content } }
    const cause = { command: { metadata }, attempt: object, stream, time: metadata.time }
    try {
      await store.append(stream, [newEvent(event, cause)], revision)
      return object
    } catch (err) {
      if (!(err instanceof WrongExpectedRevision) || conflicts >= maxConflicts) throw err
    }
  }
}
