import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface ReadyChild extends AsyncDisposable {
  pid: number
  /** Writes a line to the process and returns the line it answers. */
  request(line: string): Promise<string>
}

interface SpawnReadyOptions {
  cwd?: string
  env?: NodeJS.ProcessEnv
}

/** Starts a process and waits for its first line. The process exits when its input, a pipe from this process, is closed. */
export async function spawnReady(
  file: string,
  args: readonly string[],
  options: SpawnReadyOptions = {},
): Promise<ReadyChild> {
  const child = spawn(file, args, { ...options, stdio: ['pipe', 'pipe', 'inherit'], detached: true })
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const read = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`${file} exited`)
    return value
  }
  await read()
  const pid = child.pid ?? 0
  return {
    pid,
    request(line) {
      child.stdin.write(`${line}\n`)
      return read()
    },
    async [Symbol.asyncDispose]() {
      // The whole process group, to stop its child processes too.
      process.kill(-pid, 'SIGTERM')
      const killTimer = setTimeout(() => process.kill(-pid, 'SIGKILL'), 3_000)
      await exited
      clearTimeout(killTimer)
    },
  }
}
