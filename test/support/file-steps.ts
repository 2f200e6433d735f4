import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import sqlite from 'node:sqlite'

/** The process has been killed, as far as files are concerned. */
export class Killed extends Error {
  override readonly name = 'Killed'
}

const ofPromises = [
  'copyFile',
  'rename',
  'rm',
  'unlink',
  'mkdir',
  'rmdir',
  'writeFile',
  'chmod',
  'link',
  'utimes',
] as const
const ofFileSystem = ['mkdirSync', 'chownSync'] as const

/**
 * Counts each change of a file or folder that `work` makes with `node:fs`, and the copy of a database. From the step `last` on,
 * none has any effect, as if the process had been killed; what that step would have written is there in half. `kill` really kills it.
 * Resolves with the number of steps and what became of the work.
 */
export async function inFileSteps(
  work: () => Promise<unknown>,
  last = Number.POSITIVE_INFINITY,
  kill: () => void = () => {},
): Promise<{ steps: number; names: string[] }> {
  const handle = await fs.promises.open('/dev/null', 'w')
  const prototype = Object.getPrototypeOf(handle) as Record<string, (...args: never[]) => unknown>
  await handle.close()
  const names: string[] = []
  const restore: (() => void)[] = []

  /** Replaces a function by one that counts. `half` does what a killed process has done of it. */
  function count<Name extends string>(
    module: Record<Name, (...args: never[]) => unknown>,
    name: Name,
    half: (...args: unknown[]) => void = () => {},
  ) {
    const original = module[name] as (...args: unknown[]) => unknown
    const counted = function (this: unknown, ...args: unknown[]) {
      if (name === 'open' && !isWriting(args[1])) return original.apply(this, args)
      names.push(`${name} ${args.slice(0, 2).map(String).join(' ')}`)
      const step = names.length - 1
      if (step < last) return original.apply(this, args)
      if (step === last) {
        half(...args)
        kill()
      }
      const err = new Killed(`killed at step ${last}: ${names[last]}`)
      if (name.endsWith('Sync')) throw err
      return Promise.reject(err)
    }
    Object.assign(module, { [name]: counted })
    restore.push(() => Object.assign(module, { [name]: original }))
  }

  const promises = fs.promises as unknown as Record<string, (...args: never[]) => unknown>
  for (const name of [...ofPromises, 'open']) {
    if (name === 'copyFile') count(promises, name, (from, to) => writeHalf(fs.readFileSync(String(from)), String(to)))
    else if (name === 'writeFile') count(promises, name, (to, text) => writeHalf(Buffer.from(String(text)), String(to)))
    else if (name === 'open') count(promises, name, (path) => writeHalf(Buffer.from(''), String(path)))
    else count(promises, name)
  }
  for (const name of ofFileSystem) count(fs as unknown as Record<string, (...args: never[]) => unknown>, name)
  count(sqlite as unknown as Record<string, (...args: never[]) => unknown>, 'backup', (source, to) => {
    const path = (source as sqlite.DatabaseSync).location() ?? ''
    writeHalf(fs.readFileSync(path), String(to))
  })
  // A file is opened, and then written: the name is there before the text.
  for (const name of ['write', 'writeFile']) count(prototype, name)
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    for (const undo of restore) undo()
    syncBuiltinESMExports()
  }
  return { steps: names.length, names }
}

const isWriting = (flags: unknown): boolean => typeof flags === 'string' && /[wa+]/.test(flags)

function writeHalf(bytes: Buffer, path: string): void {
  fs.writeFileSync(path, bytes.subarray(0, Math.floor(bytes.length / 2)))
}
