import { globSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The test files that the paths name: files and folders. Throws if a path names none. */
export function chooseFiles(root: string, paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => named(root, path)))]
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
