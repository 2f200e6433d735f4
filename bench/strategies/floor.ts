import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnReady } from '../peers/spawn-ready.ts'
import { openHttpClient } from './http-client.ts'
import { type BareOptions, withoutScript } from './reused-page.ts'
import type { Strategy } from './strategy.ts'

const program = join(import.meta.dirname, 'floor/main.ts')

/** (n) The least that a service with Platen's guarantees must do: the highest throughput that Platen can have. See floor/main.ts. */
export async function openFloor({ chromiumPath, maxConcurrency }: BareOptions): Promise<Strategy> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'))
  const child = await spawnReady(process.execPath, [program, chromiumPath, String(maxConcurrency), folder])
  const client = openHttpClient(child.firstLine)
  return {
    id: 'n',
    name: "floor: the least with Platen's guarantees",
    isolated: false,
    inProcess: false,
    accepts: withoutScript,
    concurrency: [1, 2, 4, 8],
    roots: () => [child.pid],
    async render({ html }) {
      const { status, body } = await client.post('/', { html })
      if (status !== 200) throw new Error(`the floor program answered ${status}: ${body}`)
      const { size } = JSON.parse(body.toString()) as { size: number }
      return { bytes: size }
    },
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]()
      await child[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
