import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface ReadyChild extends AsyncDisposable {
  pid: number
  /** Writes a line, gives the line that it answers. */
  ask(line: string): Promise<string>
}

interface Surroundings {
  cwd?: string
  env?: NodeJS.ProcessEnv
}

/** Starts it and waits for its first line. It ends with us: its input is our pipe. */
export async function spawnReady(
  file: string,
  args: readonly string[],
  surroundings: Surroundings = {},
): Promise<ReadyChild> {
  const child = spawn(file, args, { ...surroundings, stdio: ['pipe', 'pipe', 'inherit'], detached: true })
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const read = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`${file} ended`)
    return value
  }
  await read()
  const pid = child.pid ?? 0
  return {
    pid,
    ask(line) {
      child.stdin.write(`${line}\n`)
      return read()
    },
    async [Symbol.asyncDispose]() {
      // Its whole group: what it has started goes with it.
      process.kill(-pid, 'SIGTERM')
      const late = setTimeout(() => process.kill(-pid, 'SIGKILL'), 3_000)
      await exited
      clearTimeout(late)
    },
  }
}
