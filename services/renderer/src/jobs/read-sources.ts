import { createHash } from 'node:crypto'
import { bytesOf } from '@platen/domain/generation/document-source.ts'
import type { ToolSource } from '@platen/domain/generation/generation.ts'
import { DomainError, fail } from '@platen/domain/http/errors.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { readBytes } from '@platen/foundation/runtime/read-bytes.ts'
import { ObjectNotFound, type ObjectStore } from '@platen/object-store/object-store.ts'
import type { PdfSource } from '@platen/pdf-tools/task/task.ts'
import { type ObjectAccess, useObject } from './use-object.ts'

export interface SourceAccess extends ObjectAccess {
  objects: ObjectStore
}

export interface SourceReading {
  generation: string
  signal: AbortSignal
  /** Of all sources together. */
  maxBytes: number
}

/** How long a document holds its slot while the object store is unavailable. Then another renderer may take it. */
const maxWaitMs = 15_000

/** The PDFs of an operation. Throws FILE_DELETED, and RENDER_LIMIT_EXCEEDED before more than the bound is read. */
export async function readSources(
  access: SourceAccess,
  sources: readonly ToolSource[],
  { generation, signal, maxBytes }: SourceReading,
): Promise<PdfSource[]> {
  const read: PdfSource[] = []
  let left = maxBytes
  for (const { name, object_key: key, sha256, content_base64: content = '', password } of sources) {
    const bytes =
      key === undefined
        ? bytesOf(content)
        : await useObject(access, { key, generation, signal, maxWaitMs }, () =>
            readObject(access.objects, { key, name, sha256, left, maxBytes }),
          )
    left -= bytes.byteLength
    if (left < 0) tooLarge(maxBytes)
    read.push({ bytes, ...defined({ password }), ...(key !== undefined && { name }) })
  }
  return read
}

interface ReadObject {
  key: string
  name: string
  sha256: string | undefined
  left: number
  maxBytes: number
}

async function readObject(
  objects: ObjectStore,
  { key, name, sha256, left, maxBytes }: ReadObject,
): Promise<Uint8Array> {
  const info = await objects.info(key)
  if (info && info.size > left) return tooLarge(maxBytes)
  try {
    const bytes = info && (await readBytes(await objects.get(key)))
    if (!bytes) return gone(name)
    if (sha256 !== undefined && createHash('sha256').update(bytes).digest('hex') !== sha256) {
      return fail('FILE_DELETED', `The stored PDF of ${name} has another checksum than recorded`)
    }
    return bytes
  } catch (err) {
    if (err instanceof ObjectNotFound) return gone(name)
    throw err
  }
}

function gone(name: string): never {
  throw new DomainError('FILE_DELETED', `The PDF of ${name} is no longer stored`)
}

function tooLarge(maxBytes: number): never {
  return fail('RENDER_LIMIT_EXCEEDED', `The PDFs of the operation have more than ${maxBytes} bytes together`)
}
