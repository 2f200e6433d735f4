import { globSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The test files that the arguments name: files and folders. Without arguments, all. Throws if one names none. */
export function chooseFiles(root: string, args: readonly string[]): string[] {
  if (args.length === 0) return testFiles(root, root)
  return [...new Set(args.flatMap((path) => named(root, path)))]
}

function named(root: string, path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false })
  const files = found?.isDirectory() ? testFiles(root, path) : found?.isFile() ? [relative(root, path)] : []
  if (files.length === 0) throw new Error(`there is no test file ${path}`)
  return files
}

function testFiles(root: string, folder: string): string[] {
  const exclude = (name: string) => name === 'node_modules' || name.startsWith('.')
  const files = globSync('**/*.test.ts', { cwd: folder, exclude })
  return files.map((file) => relative(root, join(folder, file))).sort()
}
