import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { type ObjectStoreOptions, openObjectStore } from '@platen/object-store/adapters/open-object-store.ts'
import { type Timing, type TimingPlan, time } from './timing.ts'

export interface ObjectStoreResult {
  name: string
  /** 50 KB, about the size of an invoice. */
  put: Timing
  get: Timing
  /** 5 MB. */
  putLarge: Timing
}

export interface ObjectStoreTarget {
  name: string
  url: string
  options?: ObjectStoreOptions
}

const page = Buffer.alloc(50_000, 'page')
const book = Buffer.alloc(5_000_000, 'book')

export async function measureObjectStore(
  { name, url, options }: ObjectStoreTarget,
  plan: TimingPlan,
): Promise<ObjectStoreResult> {
  const store = await openObjectStore(url, options)
  const run = randomUUID().slice(0, 8)
  const keys = new Set<string>()
  const put = async (key: string, body: Buffer) => {
    keys.add(key)
    await store.put(key, body, 'application/pdf')
  }
  try {
    return {
      name,
      put: await time((number) => put(`pdfs/bench-${run}-${number}.pdf`, page), plan),
      get: await time(async () => buffer(await store.get(`pdfs/bench-${run}-0.pdf`)), plan),
      putLarge: await time((number) => put(`pdfs/bench-${run}-large-${number}.pdf`, book), {
        samples: Math.ceil(plan.samples / 20),
        atOnce: 4,
      }),
    }
  } finally {
    // A real server would keep the objects.
    for (const key of keys) await store.delete(key)
    await store.close()
  }
}
