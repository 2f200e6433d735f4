import type { EventStore } from '@platen/event-store/event-store.ts'
import type { ListedObject, ObjectStore } from '@platen/object-store/object-store.ts'
import { sweepObjects } from '../../../../services/renderer/src/object-sweep/sweep-objects.ts'

interface Left {
  /** Of the object that a crashed client has left. */
  key: string
  bytes: Uint8Array
  type: string
  /** Whether the sweep is killed before it writes anything. */
  dies: boolean
}

const hourMs = 3_600_000

class Killed extends Error {}

/** The sweep of the product, which finds one object that was left hours ago. Resolves also if a server does not answer. */
export async function sweepBeside(
  { objects, store }: { objects: ObjectStore; store: EventStore },
  { key, bytes, type, dies }: Left,
): Promise<void> {
  try {
    await objects.put(key, bytes, type)
    const left = await objects.info(key)
    if (!left) return
    // What is written anew has its own time.
    const aged = <Info extends { modifiedAt: Date }>(info: Info): Info =>
      info.modifiedAt.getTime() > left.modifiedAt.getTime()
        ? info
        : { ...info, modifiedAt: new Date(info.modifiedAt.getTime() - 2 * hourMs) }
    const seen: Pick<ObjectStore, 'list' | 'get' | 'put' | 'delete' | 'info'> = {
      async *list(category): AsyncIterable<ListedObject> {
        if (category !== 'assets') return
        const info = await objects.info(key)
        if (info) yield aged({ key, ...info })
      },
      get: (...args) => objects.get(...args),
      delete: (name) => objects.delete(name),
      async info(name) {
        const info = await objects.info(name)
        return info && name === key ? aged(info) : info
      },
      async put(...args) {
        if (dies) throw new Killed()
        await objects.put(...args)
      },
    }
    await sweepObjects({ objects: seen, store, retention: { inputDays: 7, pdfDays: 0 }, now: new Date() })
  } catch {
    // A fault of a server, or the sweep was killed: another one goes on later.
  }
}
