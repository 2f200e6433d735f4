import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Asserts that a file of the repository has this text, which `npm run generate` writes. Fails with the command and the first line that
 * differs, instead of both texts.
 */
export function isUpToDate(t: Test, path: string, wanted: string): void {
  if (!existsSync(join(root, path))) return void t.fail(`${path} is missing: run npm run generate`)
  const found = readFileSync(join(root, path), 'utf8')
  if (found === wanted) return void t.pass(path)
  const [foundLines, wantedLines] = [found.split('\n'), wanted.split('\n')]
  const at = wantedLines.findIndex((line, index) => line !== foundLines[index])
  const line = at === -1 ? wantedLines.length : at
  t.fail(`${path} is out of date from line ${line + 1} on: run npm run generate`, {
    found: foundLines[line] ?? 'the end',
    wanted: wantedLines[line] ?? 'the end',
  })
}
