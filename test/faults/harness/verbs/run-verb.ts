import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../../../cli/src/main.ts', import.meta.url))

export interface RanVerb {
  /** The exit code, or the signal that has ended it. */
  ended: string
  stdout: string
  stderr: string
}

/** Ends a verb with `kill -9`, unless it has ended: after a time, or when so many files were made in a folder. */
export interface KillWhen {
  killAfterMs?: number
  killAfterFiles?: { folder: string; files: number }
}

/** Runs a verb in a process of its own. */
export async function runVerb(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  { killAfterMs, killAfterFiles }: KillWhen = {},
): Promise<RanVerb> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH, HOME, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      printed[name] += chunk
    })
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  const watcher = killAfterFiles && watch(killAfterFiles.folder, { recursive: true })
  let made = 0
  watcher?.on('change', (event) => {
    if (event === 'rename' && ++made >= (killAfterFiles?.files ?? 0)) child.kill('SIGKILL')
  })
  await once(child, 'close')
  clearTimeout(timer)
  watcher?.close()
  return { ended: String(child.signalCode ?? child.exitCode), ...printed }
}
