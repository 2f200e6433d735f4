import { resolve } from 'node:path'
import { openFolder } from './adapters/folder.ts'
import type { ObjectStore } from './object-store.ts'

const folderUrl = /^file:(?<path>\.{0,2}\/.+)$/s

/**
 * Opens what OBJECT_STORE_URL names: `file:/abs/dir`, or `file:./dir` seen from the working directory.
 * The path is taken as it stands, without percent-decoding.
 */
export async function openObjectStore(url: string): Promise<ObjectStore> {
  const path = folderUrl.exec(url)?.groups?.path
  // `file://host/dir` names another machine; `file:///dir` is this one.
  if (path === undefined || path.includes('\0') || /^\/\/[^/]/.test(path)) {
    throw new Error(`OBJECT_STORE_URL must be file:/absolute/dir or file:./relative/dir, not ${withoutSecret(url)}`)
  }
  return openFolder(resolve(path))
}

function withoutSecret(url: string): string {
  return JSON.stringify(url.replace(/\/\/[^/@]*@/, '//***@'))
}
