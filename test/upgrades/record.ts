import { execFileSync } from 'node:child_process'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import manifest from '../../package.json' with { type: 'json' }
import { startReceivers } from '../faults/harness/deliveries/receivers.ts'
import { prepare } from '../faults/harness/rolling/prepare.ts'
import { settle } from '../faults/harness/run-harness.ts'
import { seeded } from '../faults/harness/seeded.ts'
import { startSystem } from '../faults/harness/system.ts'
import { testApiKey } from '../support/platen.ts'
import { readAnswers, stable } from './answers.ts'
import { dumpDatabase } from './dump.ts'
import { files, recordedFolder } from './recorded-release.ts'

// `npm run release -- --record`: what this version stores and answers, for the tests of every later one.

const seed = 1
const settleLimitMs = 120_000

/** Sends each request of the API, and writes what the program has stored and what it answers to `out`. */
async function recordRelease(out: string): Promise<void> {
  await using system = await startSystem({
    single: true,
    engines: 'embedded',
    proxies: false,
    apiKey: testApiKey,
    say: console.log,
  })
  const [gateway] = system.gateways
  const [target] = system.targets
  if (!gateway || !target) throw new Error('nothing runs')
  const { body } = await gateway.json<{ secret: string }>('/v1/webhook-secret')
  const receivers = await startReceivers(body.secret, seed)
  await using _ = receivers.receiver
  const { kinds, posts, batches } = await prepare(system, receivers, seed)
  const random = seeded(seed).fork('recorded')
  for (const { send } of kinds) await send(random)
  const settled = await settle(system, { posts, batches }, { settleLimitMs, say: console.log })
  if (settled === null) throw new Error('not everything has ended')
  const first = await readAnswers(gateway)
  await target.stop()
  await target.deleteViews()
  await target.start()
  const answers = stable(first, await readAnswers(gateway))
  await target.stop()

  const { EVENT_STORE_URL = '' } = await system.verbEnv()
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: import.meta.dirname, encoding: 'utf8' }).trim()
  const release = { version: manifest.version, commit, apiKey: testApiKey }
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  const write = (name: string, content: string | Buffer) => writeFile(join(out, name), content)
  await write(files.release, `${JSON.stringify(release, undefined, 2)}\n`)
  await write(files.events, gzipSync(dumpDatabase(EVENT_STORE_URL.slice('sqlite:'.length)), { level: 9 }))
  await write(files.answers, gzipSync(JSON.stringify(answers), { level: 9 }))
  if (system.objectFolder) await cp(system.objectFolder, join(out, files.objects), { recursive: true })
  await cp(join(target.dataDir, files.signingSecret), join(out, files.signingSecret))
  console.log(`${out}: ${Object.keys(answers).length} answers`)
}

await recordRelease(join(recordedFolder, manifest.version))
