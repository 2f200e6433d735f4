import { crc32, inflateRawSync } from 'node:zlib'

export interface ZipLimits {
  entries: number
  /** The size of a file, unpacked. */
  entryBytes: number
  /** The size of all files, unpacked. */
  totalBytes: number
}

const signatures = { end: 0x06054b50, central: 0x02014b50, local: 0x04034b50 } as const
const endBytes = 22
const maxCommentBytes = 65_535

/**
 * The files of a ZIP archive, by path (PKWARE APPNOTE 6.3): stored and deflated ones, as the central directory names them.
 * Throws for an archive that is encrypted, damaged, of the form Zip64, or beyond the limits.
 */
export function readZip(archive: Buffer, limits: ZipLimits): Map<string, Buffer> {
  try {
    return readFiles(archive, limits)
  } catch (err) {
    // A place outside of the archive.
    if (err instanceof RangeError) throw new Error('the ZIP archive is damaged', { cause: err })
    throw err
  }
}

function readFiles(archive: Buffer, limits: ZipLimits): Map<string, Buffer> {
  const end = findEnd(archive)
  const count = archive.readUInt16LE(end + 10)
  let at = archive.readUInt32LE(end + 16)
  if (count === 0xffff || at === 0xffffffff) throw new Error('the ZIP archive is of the form Zip64')
  if (count > limits.entries) throw new Error(`the ZIP archive has more than ${limits.entries} files`)
  const files = new Map<string, Buffer>()
  let total = 0
  for (let index = 0; index < count; index++) {
    if (archive.readUInt32LE(at) !== signatures.central) throw new Error('the ZIP archive is damaged')
    const nameLength = archive.readUInt16LE(at + 28)
    const path = archive.toString('utf8', at + 46, at + 46 + nameLength)
    if (!path.endsWith('/')) {
      const content = readFile(archive, at, { path, limits })
      total += content.length
      if (total > limits.totalBytes) throw new Error(`the ZIP archive has more than ${limits.totalBytes} bytes`)
      files.set(path, content)
    }
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return files
}

/** The place of the end of the central directory record, which a comment may follow. */
function findEnd(archive: Buffer): number {
  const first = Math.max(0, archive.length - endBytes - maxCommentBytes)
  for (let at = archive.length - endBytes; at >= first; at--) {
    if (archive.readUInt32LE(at) === signatures.end) return at
  }
  throw new Error('the file is no ZIP archive')
}

/** `at`: the place of its header in the central directory. */
function readFile(archive: Buffer, at: number, { path, limits }: { path: string; limits: ZipLimits }): Buffer {
  const isEncrypted = (archive.readUInt16LE(at + 8) & 1) === 1
  const method = archive.readUInt16LE(at + 10)
  const packedBytes = archive.readUInt32LE(at + 20)
  const local = archive.readUInt32LE(at + 42)
  if (isEncrypted || (method !== 0 && method !== 8)) throw new Error(`${path} is encrypted, or packed in another way`)
  if (archive.readUInt32LE(local) !== signatures.local) throw new Error('the ZIP archive is damaged')
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
  if (start + packedBytes > archive.length) throw new Error('the ZIP archive is damaged')
  const packed = archive.subarray(start, start + packedBytes)
  if (packed.length > limits.entryBytes) throw new Error(`${path} has more than ${limits.entryBytes} bytes`)
  const content = method === 0 ? packed : inflate(packed, path, limits.entryBytes)
  if (crc32(content) !== archive.readUInt32LE(at + 16)) throw new Error(`${path} is damaged in the ZIP archive`)
  return content
}

function inflate(packed: Buffer, path: string, maxOutputLength: number): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength })
  } catch (err) {
    const isTooLarge = (err as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    const reason = isTooLarge ? `has more than ${maxOutputLength} bytes` : 'is damaged in the ZIP archive'
    throw new Error(`${path} ${reason}`, { cause: err })
  }
}
