import { randomId } from './web-crypto.ts'

/** The functions of `node:fs/promises` that are used. The types of Node are not available in projects for browsers. */
interface FileSystem {
  open(path: string, flags: 'wx'): Promise<OpenFile>
  rename(from: string, to: string): Promise<void>
  rm(path: string, options: { force: true }): Promise<void>
}

interface OpenFile {
  write(bytes: Uint8Array, offset: number): Promise<{ bytesWritten: number }>
  close(): Promise<void>
}

/** Writes a stream to a file, which has its name only when it is whole. Works in Node, Deno and Bun. */
export async function saveStream(stream: ReadableStream<Uint8Array>, path: string): Promise<void> {
  // The name is in a variable, so that bundlers for browsers do not look for the module.
  const module = 'node:fs/promises'
  const { open, rename, rm }: FileSystem = await import(module)
  const partial = `${path}.${await randomId()}.part`
  const reader = stream.getReader()
  try {
    const file = await open(partial, 'wx')
    try {
      for (let part = await reader.read(); !part.done; part = await reader.read()) await writeAll(file, part.value)
    } finally {
      await file.close()
    }
    await rename(partial, path)
  } catch (err) {
    await reader.cancel(err).catch(() => undefined)
    await rm(partial, { force: true })
    throw err
  }
}

/** A write may take only a part, on a full disk for example: the next one then tells why. */
async function writeAll(file: OpenFile, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length; ) written += (await file.write(bytes, written)).bytesWritten
}
