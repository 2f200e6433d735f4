import { crc32 } from 'node:zlib'
import { readBytes } from '@platen/foundation/runtime/read-bytes.ts'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'

export interface ZipLimits {
  entries: number
  /** The size of a file, unpacked. */
  entryBytes: number
  /** The size of all files, unpacked. */
  totalBytes: number
}

/** The files of a ZIP archive, by path. Throws for an archive that is encrypted, damaged or beyond the limits. */
export async function readZip(archive: Buffer, limits: ZipLimits): Promise<Map<string, Buffer>> {
  const zip = await open(archive)
  if (zip.entryCount > limits.entries) throw new Error(`the ZIP archive has more than ${limits.entries} files`)
  const files = new Map<string, Buffer>()
  let total = 0
  for await (const entry of entriesOf(zip)) {
    const { fileName: path, uncompressedSize: size } = entry
    if (path.endsWith('/')) continue
    if (!entry.canDecodeFileData()) throw new Error(`${path} is encrypted, or packed in another way`)
    if (size > limits.entryBytes) throw new Error(`${path} has more than ${limits.entryBytes} bytes`)
    total += size
    if (total > limits.totalBytes) throw new Error(`the ZIP archive has more than ${limits.totalBytes} bytes`)
    files.set(path, await readFile(zip, entry))
  }
  return files
}

async function open(archive: Buffer): Promise<ZipFile> {
  try {
    return await fromBufferPromise(archive)
  } catch (cause) {
    throw new Error(`the file is no ZIP archive, or is damaged: ${(cause as Error).message}`, { cause })
  }
}

async function* entriesOf(zip: ZipFile): AsyncIterable<Entry> {
  try {
    yield* zip.eachEntry()
  } catch (cause) {
    throw new Error(`the ZIP archive is damaged: ${(cause as Error).message}`, { cause })
  }
}

/** Throws for a file that has more bytes than the archive says, as soon as there are more. */
async function readFile(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const damaged = (cause?: unknown) => new Error(`${entry.fileName} is damaged in the ZIP archive`, { cause })
  let content: Buffer
  try {
    content = await readBytes(await zip.openReadStreamPromise(entry))
  } catch (cause) {
    throw damaged(cause)
  }
  // yauzl does not compare it.
  if (crc32(content) !== entry.crc32) throw damaged()
  return content
}
