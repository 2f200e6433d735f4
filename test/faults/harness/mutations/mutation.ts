import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SystemOptions } from '../system.ts'

interface Edit {
  file: string
  /** Occurs once in the file. */
  find: string
  replace: string
}

/** A guard of the product, how to take it out, and the invariant that is violated then. */
export interface Mutation extends Edit {
  guard: string
  /** What was written together with the guard. */
  also?: readonly Edit[]
  /** The faults against which it guards. */
  faults: readonly string[]
  /** Multiplies the time of faults that last. */
  patience?: number
  /** One process shows it, too, and is quicker. */
  single?: boolean
  /** Default: `embedded` for one process. */
  engines?: SystemOptions['engines']
  /** Verbs of the command line show it. Default: if its invariant is `V`. */
  verbs?: boolean
  /** What is violated, or `test`. */
  invariant: string
  /** What a violation says that comes of this mutation. Default: any of the invariant does. */
  says?: string
  /** The file of a test that must fail, for what no fault shows (its invariant is `test`), or not in every run. */
  test?: string
  /** Whether the product may stop working without the guard. */
  fatal?: boolean
}

export const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** Writes the changed files into a copy of the source. Without one, only looks whether they can be changed. Throws if not. */
export async function mutate({ also = [], ...mutation }: Mutation, copy?: string): Promise<void> {
  const changed = new Map<string, string>()
  for (const { file, find, replace } of [mutation, ...also]) {
    const text = changed.get(file) ?? (await readFile(join(copy ?? root, file), 'utf8'))
    const [before, after, ...more] = text.split(find)
    if (before === undefined || after === undefined || more.length > 0)
      throw new Error(`${file} does not contain the guard once: ${find}`)
    changed.set(file, `${before}${replace}${after}`)
  }
  if (copy !== undefined) for (const [file, text] of changed) await writeFile(join(copy, file), text)
}
