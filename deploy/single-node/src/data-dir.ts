import { randomBytes } from 'node:crypto'
import { access, chmod, constants, lstat, readdir, readFile, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { FileLocked, lockFile } from '@platen/foundation/runtime/file-lock.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { makeFolders } from '@platen/foundation/runtime/make-folders.ts'
import { writePrivateFile } from '@platen/foundation/runtime/private-file.ts'

/**
 * Creates the folder and locks it for this process. The lock ends with the process. Other users cannot read the files
 * that this process and its children create, nor those that are there already.
 */
export async function lockDataDir(path: string, log: Logger): Promise<Disposable> {
  process.umask(0o077)
  try {
    makeFolders(path, 0o700)
  } catch (cause) {
    throw new Error(`DATA_DIR: the folder ${path} cannot be created`, { cause })
  }
  await checkAccess(path)
  await checkMode(path, log)
  try {
    return lockFile(join(path, 'lock.db'), 'exclusive')
  } catch (cause) {
    if (!(cause instanceof FileLocked)) throw new Error(`DATA_DIR: ${path} cannot be locked`, { cause })
    throw new Error(`DATA_DIR: ${path} is in use by another Platen, ${cause.holder}`, { cause })
  }
}

/** A folder of the host that is mounted into a container belongs to root, unless it was made for Platen. */
async function checkAccess(path: string): Promise<void> {
  try {
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    const { uid } = await stat(path)
    const [user, group] = [process.getuid?.(), process.getgid?.()]
    throw new Error(
      `DATA_DIR: ${path} belongs to user ${uid} and cannot be written by user ${user}, as which Platen runs; run ` +
        `chown -R ${user}:${group} on the folder (in Docker on that of the host, or use a named volume)`,
      { cause },
    )
  }
}

const mostForEventsMb = 8_192

/** How much of the disk the published events may take, in MiB: a tenth, at most 8 GiB. */
export async function shareOfEvents(path: string): Promise<number> {
  const { blocks, bsize } = await statfs(path)
  return Math.max(1, Math.min(Math.floor((blocks * bsize) / 2 ** 20 / 10), mostForEventsMb))
}

const ofOthers = 0o077

/** Throws if every user can replace files in the folder. A group that can is warned about: volumes often have one. */
async function checkMode(path: string, log: Logger): Promise<void> {
  const { mode } = await stat(path)
  const octal = (mode & 0o777).toString(8)
  if ((mode & 0o002) !== 0) {
    throw new Error(`DATA_DIR: every user can write to ${path} (mode ${octal}); run chmod 700 ${path}`)
  }
  if ((mode & 0o020) !== 0) {
    log.warn({ path, mode: octal }, 'a group can replace files in DATA_DIR; run chmod g-w on it')
  }
  const left = await takeFromOthers(path)
  if (left.length > 0) {
    log.warn({ path, files: left }, 'files in DATA_DIR of another user are open to others; run chmod go-rwx on them')
  }
  const foreign = await ofAnotherUser(path)
  if (foreign.length > 0) {
    log.warn(
      { path, files: foreign },
      'files in DATA_DIR are of another user, who can read and replace them; run chown on them',
    )
  }
}

/** The names of what belongs neither to the user of this process nor to root; `.` is the folder. */
async function ofAnotherUser(folder: string): Promise<string[]> {
  const own = [0, process.getuid?.()]
  const names = ['.', ...(await readdir(folder))]
  const owners = await Promise.all(names.map((name) => lstat(join(folder, name))))
  return names.filter((_, at) => !own.includes(owners[at]?.uid))
}

/**
 * Makes files private, as copied files may be readable by every user. Returns the names of files of other users, whose
 * mode cannot be changed. The content of a folder is private with the folder.
 */
async function takeFromOthers(folder: string): Promise<string[]> {
  const left: string[] = []
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const path = join(folder, entry.name)
    const { mode } = await stat(path)
    if ((mode & ofOthers) === 0) continue
    await chmod(path, mode & 0o700).catch(() => void left.push(entry.name))
  }
  return left
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
