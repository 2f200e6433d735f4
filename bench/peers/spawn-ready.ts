import type { SpawnOptions } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { startProgram } from '../machine/start-program.ts'
import { within } from '../machine/within.ts'

export interface ReadyChild extends AsyncDisposable {
  pid: number
  /** What it printed when it was ready. */
  firstLine: string
  /** Writes a line to the process and returns the line it answers. Rejects when it exits. */
  request(line: string): Promise<string>
}

const readyMs = 60_000

/** Starts a process and waits for its first line. The process exits when its input, a pipe from this process, is closed. */
export async function spawnReady(
  file: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env'> = {},
): Promise<ReadyChild> {
  await using resources = new AsyncDisposableStack()
  const { child, pid, ended } = resources.use(
    startProgram(file, args, { ...options, stdio: ['pipe', 'pipe', 'inherit'] }),
  )
  const lines = createInterface({ input: child.stdout as Readable })[Symbol.asyncIterator]()
  const read = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error(await ended)
    return value
  }
  const firstLine = await within(readyMs, read())
  const running = resources.move()
  return {
    pid,
    firstLine,
    request(line) {
      const input = child.stdin as Writable
      input.write(`${line}\n`)
      return read()
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
