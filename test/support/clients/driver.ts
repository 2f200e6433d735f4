import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Call } from './behaviour.ts'

/** A call for a client of the server at this URL. Files are saved in `folder`. */
export interface Order extends Omit<Call, 'server'> {
  url: string
  key: string
  folder: string
}

/** What has come of a call: its result or its error, as JSON, and the files in the folder. */
export interface Outcome {
  result?: unknown
  error?: Record<string, unknown>
  files?: string[]
}

/** Makes calls with the client of one language. */
export interface Driver extends AsyncDisposable {
  readonly language: string
  run(order: Order): Promise<Outcome>
}

/** A program that reads orders and writes outcomes, each as a line of JSON with the same `id`. Orders are carried out at the same time. */
export function driverProcess(
  language: string,
  command: string,
  args: string[],
  options: { env: NodeJS.ProcessEnv },
): Driver {
  const child: ChildProcess = spawn(command, args, { ...options, stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = new Map<number, { resolve: (outcome: Outcome) => void; reject: (reason: Error) => void }>()
  let last = 0
  if (!child.stdin || !child.stdout) throw new Error('its input and output are not piped')
  const { stdin } = child
  createInterface(child.stdout).on('line', (line) => {
    const { id, ...outcome } = JSON.parse(line)
    waiting.get(id)?.resolve(outcome)
    waiting.delete(id)
  })
  const exited = once(child, 'close')
  void exited.then(() => {
    for (const { reject } of waiting.values()) reject(new Error(`the program in ${language} has exited`))
  })
  return {
    language,
    run: (order) =>
      new Promise((resolve, reject) => {
        const id = ++last
        waiting.set(id, { resolve, reject })
        stdin.write(`${JSON.stringify({ id, ...order })}\n`)
      }),
    async [Symbol.asyncDispose]() {
      stdin.end()
      await exited
    },
  }
}
