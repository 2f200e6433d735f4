import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { check } from '../faults/harness/checker.ts'
import { startReceivers } from '../faults/harness/deliveries/receivers.ts'
import { prepare } from '../faults/harness/rolling/prepare.ts'
import { collect, settle } from '../faults/harness/run-harness.ts'
import { seeded } from '../faults/harness/seeded.ts'
import { startSystem } from '../faults/harness/system.ts'
import { quickNotifier } from '../faults/harness/tuning.ts'
import { noVerbClients } from '../faults/harness/verbs/clients.ts'
import { type Service, serviceEntryPoint, services } from '../support/fleet.ts'
import { checkOut } from './old-source.ts'
import { recordedReleases } from './recorded-release.ts'

t.setTimeout(1_200_000)

/** The order of docs/operate/upgrade.md. All requests are sent after each step. */
const steps: readonly (readonly Service[])[] = [['renderer', 'template', 'notifier'], ['gateway']]
const seed = 1
const settleLimitMs = 120_000
const tries = 5

const entryPointOf = (service: Service) => (service === 'notifier' ? quickNotifier : serviceEntryPoint(service))
const root = join(import.meta.dirname, '../..')

/** The last release only: an upgrade may skip versions, and all data are read by data.test.ts. */
const release = recordedReleases().at(-1)

t.test(
  `processes of ${release?.version} are replaced one after the other, and every request works at each step`,
  { skip: release ? false : 'no release was recorded' },
  async (t) => {
    if (!release) return
    await using resources = new AsyncDisposableStack()
    const folder = await mkdtemp(join(tmpdir(), 'platen-release-'))
    resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
    const problem = checkOut(release.commit, folder)
    if (problem) return t.pass(`skipped: ${problem.message}`)
    const old = services.map((service) => [service, entryPointOf(service).replace(root, folder)] as const)
    const system = resources.use(
      await startSystem({
        single: false,
        engines: 'embedded',
        proxies: false,
        say: t.comment,
        entryPoints: Object.fromEntries(old),
      }),
    )
    const { body } = (await system.gateways[0]?.json<{ secret: string }>('/v1/webhook-secret')) ?? {}
    const receivers = await startReceivers(body?.secret ?? '', seed)
    resources.use(receivers.receiver)
    const { client, kinds, posts, batches, postDocument } = await prepare(system, receivers, seed)
    const random = seeded(seed).fork('upgrade')

    /** Every kind of request, of which the old gateways know each. A 503 is asked again, as clients do. */
    const sendAll = async (state: string) => {
      for (const { operation, send } of kinds) {
        for (let attempt = 1; ; attempt++) {
          const before = client.requests.length
          await send(random)
          const failed = client.requests.slice(before).filter(({ status }) => Number(status) >= 500)
          if (failed.length === 0) break
          if (attempt < tries) continue
          t.same(failed, [], `${operation}, ${state}`)
          break
        }
      }
    }
    for (const step of steps) {
      const replaced = step.flatMap((service) => system.targets.filter((one) => one.service === service))
      for (const target of replaced) {
        // The process that ends has work, and what it does not finish is for the new ones.
        for (let n = 0; n < 4; n++) await postDocument(random, { isAsync: true })
        await target.replace?.(entryPointOf(target.service as Service))
      }
      await sendAll(`after the new processes of ${step.join(', ')}`)
    }
    const healedAtMs = Date.now()
    const settledAfterMs = await settle(system, { posts, batches }, { settleLimitMs, say: t.comment })
    const course = { faults: [], healedAtMs, settledAfterMs, settleLimitMs, costs: [], verbs: noVerbClients.evidence }
    // Each operation is sent a few times, and may be refused each time: nothing is said of what was driven.
    const evidence = await collect(system, { client, posts, batches, operations: [], ...receivers }, course)
    for (const { invariant, violations } of check(evidence)) t.same(violations, [], invariant)
  },
)
