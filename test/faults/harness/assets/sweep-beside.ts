import type { EventStore } from '@platen/event-store/event-store.ts'
import type { ListedObject, ObjectStore } from '@platen/object-store/object-store.ts'
import { Ages, leftAssets } from '../../../../services/notifier/src/janitor/left-objects.ts'
import { removeLeftovers } from '../../../../services/notifier/src/janitor/remove-leftovers.ts'
import { storeWith } from '../../../support/store-with.ts'

interface Beside {
  /** The beginning of the keys that the sweep finds. */
  prefix: string
  /** Whether the sweep is killed before it deletes or writes anything. */
  dies: boolean
  /** Before it looks for objects, and before it changes one: others do something meanwhile. */
  pause: () => Promise<unknown>
}

const hourMs = 3_600_000

class Killed extends Error {}

/**
 * Runs the product's sweep of assets, with a clock that makes the objects of a content hours old: one that a client has left, and
 * one of a slow upload. Resolves even if a server does not answer.
 */
export async function sweepBeside(
  { objects, store }: { objects: ObjectStore; store: EventStore },
  { prefix, dies, pause }: Beside,
): Promise<void> {
  const alive = () => {
    if (dies) throw new Killed()
  }
  const seen: Pick<ObjectStore, 'list' | 'get' | 'put' | 'delete'> = {
    async *list(category): AsyncIterable<ListedObject> {
      await pause()
      for await (const { modifiedAt, ...listed } of objects.list(category)) {
        const before = new Date(modifiedAt.getTime() - 2 * hourMs)
        if (listed.key.startsWith(prefix)) yield { ...listed, modifiedAt: before }
      }
    },
    get: (...args) => objects.get(...args),
    async put(...args) {
      alive()
      await objects.put(...args)
    },
    async delete(name) {
      alive()
      await pause()
      await objects.delete(name)
    },
  }
  const slow = storeWith(store, {
    async append(...args) {
      await pause()
      return store.append(...args)
    },
  })
  try {
    await removeLeftovers(leftAssets({ objects: seen, store: slow }, new Ages(new Date())))
  } catch {
    // A fault of a server, or the sweep was killed: another one goes on later.
  }
}
