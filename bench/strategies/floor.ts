import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openHttpClient } from './http-client.ts'
import { type BareOptions, withoutScript } from './reused-page.ts'
import type { Strategy } from './strategy.ts'

const program = join(import.meta.dirname, 'floor/main.ts')

/** (n) The least that a service with Platen's guarantees must do: the highest throughput that Platen can have. See floor/main.ts. */
export async function openFloor({ chromiumPath, maxConcurrency }: BareOptions): Promise<Strategy> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'))
  const child = spawn(process.execPath, [program, chromiumPath, String(maxConcurrency), folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // In its own process group, so that all of it can be killed.
    detached: true,
  })
  const exited = once(child, 'exit')
  const { value: url, done } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  if (done) throw new Error('the floor program exited')
  const client = openHttpClient(url)
  return {
    ...{ id: 'n', name: "floor: the least with Platen's guarantees", isolated: false, inProcess: false },
    accepts: withoutScript,
    concurrency: [1, 2, 4, 8],
    roots: () => [child.pid ?? 0],
    async render({ html }) {
      const { status, body } = await client.post('/', { html })
      if (status !== 200) throw new Error(`the floor program answered ${status}: ${body}`)
      const { size } = JSON.parse(body.toString()) as { size: number }
      return { bytes: size }
    },
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]()
      child.stdin.end()
      const killTimer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), 5_000)
      await exited
      clearTimeout(killTimer)
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
