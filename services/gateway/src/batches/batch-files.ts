import { fileNameOf } from '@platen/domain/generation/job-details.ts'
import { ObjectNotFound } from '@platen/object-store/object-store.ts'
import { type FileStore, isPastRetention } from '../files/send-file.ts'
import type { BatchRecord } from '../views/batch-view.ts'
import { completedItems } from './completed-items.ts'
import type { FindItem } from './find-item.ts'

export interface BatchFile {
  name: string
  input: AsyncIterable<Uint8Array>
}

export interface FileSources extends FileStore {
  findItem: FindItem
}

/** The PDFs of an ended batch in order, each opened when the one before was read. Those that are gone are left out. */
export async function* batchFiles(
  { findItem, ...files }: FileSources,
  batch: Pick<BatchRecord, 'id' | 'state'>,
): AsyncGenerator<BatchFile> {
  const names = new UniqueNames()
  for await (const { index, request, result } of completedItems(findItem, batch)) {
    const input = await openFile(files, result.object_key)
    if (input) yield { name: names.next(fileNameOf({ ...request, media_type: result.media_type }), index), input }
  }
}

/** Undefined if the file is gone, or past its retention and not deleted yet. */
async function openFile(store: FileStore, key: string) {
  const { objects, retention } = store
  if (retention.pdfDays > 0) {
    const info = await objects.info(key)
    if (info === undefined || isPastRetention(store, info)) return undefined
  }
  return objects.get(key).catch((err) => {
    if (err instanceof ObjectNotFound) return undefined
    throw err
  })
}

/** Names that are unique also where upper and lower case are the same. */
export class UniqueNames {
  readonly #used = new Set<string>()

  next(name: string, index: number): string {
    const ending = /\.(?:pdf|png|jpg|webp|zip)$/.exec(name)?.[0] ?? ''
    const stem = name.slice(0, name.length - ending.length)
    let unique = name
    for (let more = ''; this.#used.has(unique.toLowerCase()); more += '-') unique = `${stem} (${index}${more})${ending}`
    this.#used.add(unique.toLowerCase())
    return unique
  }
}
