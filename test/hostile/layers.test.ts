import { createLogger } from '@platen/shared/runtime/logger.ts'
import t from 'tap'
import { chromiumFlags } from '../../services/renderer/src/browser/chromium-flags.ts'
import { egressProxyHost, startEgressProxy } from '../../services/renderer/src/egress/egress-proxy.ts'
import { families, payloads } from './payloads/all.ts'
import { type Attack, aim } from './support/aim.ts'
import { type BareBrowserOptions, openBareBrowser } from './support/bare-browser.ts'
import { type Hit, openCanaries } from './support/canaries.ts'
import { inParallel } from './support/in-parallel.ts'
import { plantSecrets } from './support/secret.ts'

// Each layer of the wall by itself, the others off, in a Chromium that is otherwise as it comes.
t.setTimeout(600_000)
await using secrets = await plantSecrets()
await using canaries = await openCanaries(['127.0.0.1', '::1'])
const range = { host: '127.0.0.1', ports: canaries.ports, files: secrets.folder }
const attacks = payloads.map((payload) => aim(payload, range)).filter(({ reaches }) => reaches !== 'none')
const byHttp = attacks.filter(({ reaches }) => reaches === 'http')
const byOther = attacks.filter(({ reaches }) => reaches === 'tcp' || reaches === 'udp')
const byTcp = attacks.filter(({ reaches }) => reaches !== 'udp')
const byUdp = attacks.filter(({ reaches }) => reaches === 'udp')

/** A third of them: these layers know no difference between one road and another. */
const sample = (first: number) => byTcp.filter((_, index) => index % 3 === first)

const proxyHost = egressProxyHost()
const flags = chromiumFlags({
  ...{ executablePath: '', sandbox: false, proxyHost, profile: '', maxAnswerBytes: 0 },
  log: createLogger('test', 'silent'),
})
const wallFlags = (...names: string[]) => flags.filter((flag) => names.some((name) => flag.startsWith(`--${name}`)))

/** What the canaries hear of documents shown in a browser of this kind. */
async function heard(some: readonly Attack[], options: Partial<BareBrowserOptions>): Promise<Hit[]> {
  canaries.takeHits()
  await using browser = await openBareBrowser({ patienceMs: 300, ...options })
  await inParallel(some, 6, (attack) => browser.show(attack))
  return canaries.takeHits()
}

await t.test('no wall: every payload reaches the canary that it says', async (t) => {
  await using browser = await openBareBrowser({ patienceMs: 1_500 })
  await using patient = await openBareBrowser({ patienceMs: 20_000 })
  const reached = new Set<string | undefined>()
  const reachedBy = ({ name }: Attack) => {
    for (const { payload } of canaries.takeHits()) reached.add(payload)
    return reached.has(name)
  }
  // Some leave with their page, in a moment that a busy machine may not have: those get a page to themselves.
  for (const [shower, hands] of [
    [browser, 6],
    [browser, 1],
    [patient, 1],
  ] as const) {
    const unheard = byHttp.filter((attack) => !reachedBy(attack))
    await inParallel(unheard, hands, (attack) => shower.show(attack, () => reachedBy(attack)))
  }
  t.same(
    byHttp.filter((attack) => !reachedBy(attack)).map(({ name }) => name),
    [],
  )
  // Without a path nobody says whose hit it is: one by one.
  for (const attack of byOther) {
    const hits: Hit[] = []
    const reached = () =>
      hits.push(...canaries.takeHits()) > 0 && hits.some(({ what }) => what.startsWith(attack.reaches))
    for (const shower of [browser, patient]) if (!reached()) await shower.show(attack, reached)
    t.ok(reached(), attack.name)
  }
})

await t.test('the proxy alone: nothing by HTTP, TCP or WebSocket', async (t) => {
  const limits = { resources: 100_000, resourceBytes: 1e6, resourceTimeoutMs: 2_000 }
  const log = createLogger('test', 'silent')
  await using proxy = await startEgressProxy({ host: proxyHost, policy: 'public', limits, log })
  proxy.reset()
  t.same(await heard(byTcp, { proxy: proxy.url }), [])
})

await t.test('the proxy that nobody listens on alone: what has no context with one of its own', async (t) => {
  t.same(await heard(sample(0), { args: wallFlags('proxy-') }), [])
})

await t.test('the resolver rules alone: no name and no address is known', async (t) => {
  t.same(await heard(sample(1), { args: wallFlags('host-resolver-rules') }), [])
})

await t.test('the WebRTC policy alone: no datagram', async (t) => {
  t.same(
    (await heard(byUdp, { args: wallFlags('force-webrtc'), patienceMs: 1_000 })).filter(({ what }) =>
      what.startsWith('udp'),
    ),
    [],
  )
})

await t.test('JavaScript off alone: nothing that takes script', async (t) => {
  const scripted = [...families.scripts, ...families.datagrams, ...families.navigations]
  const names = new Set(scripted.filter(({ name }) => !/refresh|iframe-download/.test(name)).map(({ name }) => name))
  const some = attacks.filter(({ name }) => names.has(name))
  t.ok(some.length > 50)
  t.same(await heard(some, { javascript: false }), [])
})
