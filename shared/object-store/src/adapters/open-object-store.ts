import { resolve } from 'node:path'
import type { ObjectStore, SharedObjectStore } from '../object-store.ts'
import { openFolder } from './folder/store.ts'
import type { S3Options } from './s3/store.ts'
import { parseS3Url, type S3Keys } from './s3/url.ts'

const folderUrl = /^file:(?<path>\.{0,2}\/.+)$/s

/** Used by S3 stores only. */
export type ObjectStoreOptions = S3Keys & Pick<S3Options, 'publicUrl' | 'categories' | 'warn'>

/**
 * Opens the store of OBJECT_STORE_URL: `file:/abs/dir`, `file:./dir` relative to the working directory, or
 * `s3://host:port/bucket?region=…&tls=true|false`. The path of a folder is not percent-decoded.
 */
export async function openObjectStore(url: string, options: ObjectStoreOptions = {}): Promise<ObjectStore> {
  if (url.startsWith('s3:')) return (await s3Adapter()).openS3(parseS3Url(url, options), options)
  const path = folderUrl.exec(url)?.groups?.path
  // `file://host/dir` names another machine, `file:///dir` this one.
  if (path === undefined || path.includes('\0') || /^\/\/[^/]/.test(path)) {
    const forms = 'file:/absolute/dir or file:./relative/dir, or s3://host:port/bucket'
    throw new Error(`OBJECT_STORE_URL must be ${forms}, not ${withoutSecret(url)}`)
  }
  return openFolder(resolve(path))
}

/** Opens a folder of a bucket, `s3://host:port/bucket/folder/…`, in which the keys begin. */
export async function openS3Folder(
  url: string,
  options: ObjectStoreOptions & Pick<S3Options, 'isReadOnly'>,
): Promise<SharedObjectStore> {
  return (await s3Adapter()).openS3(parseS3Url(url, options, { mayHavePrefix: true }), options)
}

/** Loaded when it is used: its client takes 8 MB and a tenth of a second. */
const s3Adapter = () => import('./s3/store.ts')

/** Removes everything up to the last `@`: a secret that is not percent-encoded may contain `@` and `/`. */
function withoutSecret(url: string): string {
  return JSON.stringify(url.replace(/\/\/.*@/s, '//***@'))
}
