import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

export interface Ran {
  exitCode: number
  output: string
}

/**
 * Reads the names of scripts from descriptor 3, runs each in this shell, so that variables and aliases are kept, and
 * writes its exit code to descriptor 4. A block stops at the first command that fails. curl fails for an HTTP error.
 */
const loop = `
shopt -s expand_aliases
curl() { command curl --fail-with-body "$@"; }
while read -r script <&3; do
  set -e
  trap 'echo $? >&4' EXIT
  source "$script" </dev/null 2>&1
  trap - EXIT
  set +e
  echo 0 >&4
done`

/** A terminal of a reader who runs one block after the other. */
export class Shell implements AsyncDisposable {
  readonly #folder: string
  readonly #process: ChildProcess
  readonly #closed: Promise<void>
  #output = ''
  #scripts = 0

  constructor(folder: string, env: Record<string, string>) {
    this.#folder = folder
    this.#process = spawn('bash', ['-c', loop], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'inherit', 'pipe', 'pipe'],
      // A process group, so that background processes of the blocks can be stopped.
      detached: true,
    })
    this.#process.stdout?.on('data', (chunk: Buffer) => {
      this.#output += chunk
    })
    this.#closed = new Promise((resolve) => this.#process.once('close', () => resolve()))
  }

  /** Runs a block. After one that fails, the shell has exited. */
  async run(commands: string): Promise<Ran> {
    const script = join(this.#folder, `.block-${++this.#scripts}.sh`)
    writeFileSync(script, commands)
    const start = this.#output.length
    const [, , , names, codes] = this.#process.stdio as [null, Readable, null, Writable, Readable]
    names.write(`${script}\n`)
    const exitCode = await new Promise<number>((resolve) => codes.once('data', (text) => resolve(Number(text))))
    // The output of a command may arrive after the exit code.
    await new Promise((resolve) => setTimeout(resolve, 50))
    return { exitCode, output: this.#output.slice(start) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      process.kill(-(this.#process.pid ?? 0), 'SIGTERM')
    } catch {
      // The shell and all its background processes have exited.
    }
    await this.#closed
  }
}
