import { Readable } from 'node:stream'
import { commands } from '../commands.ts'
import { runCommand } from '../frame/run-command.ts'

export interface Ran {
  code: number
  stdout: string
  stderr: string
}

export interface RunOptions {
  signal?: AbortSignal
  /** The standard input. Default: empty. */
  input?: string
  /** Called with each line of the result. */
  onLine?: (line: string) => void
}

/** Longer than any command takes, and shorter than the time limit of a test file, which could not name the command. */
const limitMs = 240_000

/** Runs a command in this process, as `main.ts` does in one of its own. Rejects if it does not end. */
export async function runCli(
  env: Record<string, string>,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Ran> {
  let stdout = ''
  let stderr = ''
  const running = runCommand(commands, {
    args: [...args],
    env,
    print: (line) => {
      stdout += `${line}\n`
      options.onLine?.(line)
    },
    input: () => Readable.from([Buffer.from(options.input ?? '')]),
    errors: { isTTY: false, write: (text) => (stderr += text) },
    signal: options.signal ?? new AbortController().signal,
  })
  const limit = Promise.withResolvers<never>()
  const tooLate = () =>
    limit.reject(new Error(`platen ${args.join(' ')} did not end within ${limitMs / 1000} s: ${stderr}`))
  const timer = setTimeout(tooLate, limitMs)
  const code = await Promise.race([running, limit.promise]).finally(() => clearTimeout(timer))
  return { code, stdout, stderr }
}

export const jsonLines = ({ stdout }: Ran) =>
  stdout
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
