import { commands } from '../commands.ts'
import { runCommand } from '../frame/run-command.ts'

export interface Ran {
  code: number
  stdout: string
  stderr: string
}

export interface RunOptions {
  signal?: AbortSignal
  /** Called with each line of the result. */
  onLine?: (line: string) => void
}

/** Runs a command in this process, as `main.ts` does in one of its own. */
export async function runCli(
  env: Record<string, string>,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Ran> {
  let stdout = ''
  let stderr = ''
  const code = await runCommand(commands, {
    args: [...args],
    env,
    print: (line) => {
      stdout += `${line}\n`
      options.onLine?.(line)
    },
    errors: { isTTY: false, write: (text) => (stderr += text) },
    signal: options.signal ?? new AbortController().signal,
  })
  return { code, stdout, stderr }
}

export const jsonLines = ({ stdout }: Ran) =>
  stdout
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
