import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Creates the folder and locks it for this process. The lock ends with the process. */
export async function lockDataDir(path: string): Promise<Disposable> {
  await mkdir(path, { recursive: true, mode: 0o700 }).catch((cause) => {
    throw new Error(`DATA_DIR: the folder ${path} cannot be created`, { cause })
  })
  try {
    const lock = new DatabaseSync(join(path, 'lock.db'))
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    return { [Symbol.dispose]: () => lock.close() }
  } catch (cause) {
    throw new Error(`DATA_DIR: ${path} is in use by another Platen, or cannot be written`, { cause })
  }
}

/** The signing secret of the deployment. It is created on the first start. */
export async function signingSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'signing-secret')
  const known = await readFile(path, 'utf8').catch(() => '')
  if (known.trim() !== '') return known.trim()
  const secret = randomBytes(32).toString('base64url')
  await writePrivateFile(path, `${secret}\n`)
  return secret
}

/** Replaces the file at once. Only its owner may read it, whatever mode the earlier file had. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  // A file that an interrupted start has left keeps its mode when it is opened again.
  await rm(`${path}.new`, { force: true })
  const file = await open(`${path}.new`, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
}
