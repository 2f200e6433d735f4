import { knownCategories } from '@platen/domain/catalogue/event-catalogue.ts'
import { archiveLog } from '@platen/event-store/archive/archive-log.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'

/** Small segments, so that the log grows by more than one in the meantime. */
const segmentEvents = 25

/**
 * Runs two archives at once. The first is suspended before it writes that its last, short segment is complete. The
 * second begins when the log has grown (`later`), and ends before the first resumes. Resolves even if a server does not
 * answer.
 */
export async function archiveBeside(
  { store, objects }: { store: EventStore; objects: ObjectStore },
  later: () => Promise<unknown>,
): Promise<void> {
  let isHeld = false
  const archive = async (to: ObjectStore) => {
    const options = { store, objects: to, categories: [...knownCategories], segmentEvents }
    for await (const _ of archiveLog(options));
  }
  const slow = new Proxy(objects, {
    get(target, name) {
      if (name !== 'put') {
        const member = Reflect.get(target, name)
        return typeof member === 'function' ? member.bind(target) : member
      }
      return async (...[key, body, type]: Parameters<ObjectStore['put']>) => {
        if (!isHeld && key.endsWith('.json') && JSON.parse(Buffer.from(body).toString()).events < segmentEvents) {
          isHeld = true
          await later()
          await archive(objects)
        }
        await target.put(key, body, type)
      }
    },
  })
  try {
    await archive(slow)
  } catch {
    // A fault of a server. Another archive goes on later.
  }
}
