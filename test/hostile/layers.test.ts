import { createLogger } from '@platen/foundation/runtime/logger.ts'
import t from 'tap'
import { chromiumFlags } from '../../services/renderer/src/chromium/browser/chromium-flags.ts'
import { egressProxyHost, startEgressProxy } from '../../services/renderer/src/egress/egress-proxy.ts'
import { families, payloads } from './payloads/all.ts'
import { type Attack, aim } from './support/aim.ts'
import { type BareBrowserOptions, openBareBrowser } from './support/bare-browser.ts'
import { type Hit, openCanaries } from './support/canaries.ts'
import { inParallel } from './support/in-parallel.ts'
import { plantSecrets } from './support/secret.ts'

// Tests each network protection alone, with the others off, in an otherwise unchanged Chromium.
t.setTimeout(600_000)
await using secrets = await plantSecrets()
await using canaries = await openCanaries(['127.0.0.1', '::1'])
const range = { host: '127.0.0.1', ports: canaries.ports, files: secrets.folder }
const attacks = payloads.map((payload) => aim(payload, range)).filter(({ reaches }) => reaches !== 'none')
const byHttp = attacks.filter(({ reaches }) => reaches === 'http')
const byOther = attacks.filter(({ reaches }) => reaches === 'tcp' || reaches === 'udp')
const byTcp = attacks.filter(({ reaches }) => reaches !== 'udp')
const byUdp = attacks.filter(({ reaches }) => reaches === 'udp')

/** A third of the attacks is enough: these protections do not depend on how a request is made. */
const sample = (first: number) => byTcp.filter((_, index) => index % 3 === first)

const proxyHost = egressProxyHost()
const flags = chromiumFlags({ sandbox: false, webgl: true, proxyHost, profile: '' })
const flagsNamed = (...names: string[]) => flags.filter((flag) => names.some((name) => flag.startsWith(`--${name}`)))

/** The requests that the canaries receive while a browser with these options shows the documents. */
async function received(some: readonly Attack[], options: Partial<BareBrowserOptions>): Promise<Hit[]> {
  canaries.takeHits()
  await using browser = await openBareBrowser({ patienceMs: 300, ...options })
  await inParallel(some, 6, (attack) => browser.show(attack))
  return canaries.takeHits()
}

await t.test('without protection every payload reaches its canary', async (t) => {
  await using browser = await openBareBrowser({ patienceMs: 1_500 })
  await using patient = await openBareBrowser({ patienceMs: 20_000 })
  const reached = new Set<string | undefined>()
  const reachedBy = ({ name }: Attack) => {
    for (const { payload } of canaries.takeHits()) reached.add(payload)
    return reached.has(name)
  }
  // Some requests are sent when the page closes, which takes long on a busy machine. These are retried alone.
  for (const [shower, concurrency] of [
    [browser, 6],
    [browser, 1],
    [patient, 1],
  ] as const) {
    const missing = byHttp.filter((attack) => !reachedBy(attack))
    await inParallel(missing, concurrency, (attack) => shower.show(attack, () => reachedBy(attack)))
  }
  t.same(
    byHttp.filter((attack) => !reachedBy(attack)).map(({ name }) => name),
    [],
  )
  // These requests have no path that names the payload, so the payloads run one by one.
  for (const attack of byOther) {
    const hits: Hit[] = []
    const reached = () =>
      hits.push(...canaries.takeHits()) > 0 && hits.some(({ what }) => what.startsWith(attack.reaches))
    for (const shower of [browser, patient]) if (!reached()) await shower.show(attack, reached)
    t.ok(reached(), attack.name)
  }
})

await t.test('the egress proxy alone blocks HTTP, TCP and WebSocket', async (t) => {
  const limits = { resources: 100_000, resourceBytes: 1e6, resourceTimeoutMs: 2_000 }
  const log = createLogger('test', 'silent')
  await using proxy = await startEgressProxy({ host: proxyHost, policy: 'public', limits, log })
  proxy.reset()
  t.same(await received(sample(2), { proxy }), [])
})

await t.test('the default proxy, which nobody listens on, alone blocks requests outside of a page', async (t) => {
  t.same(await received(sample(0), { args: flagsNamed('proxy-') }), [])
})

await t.test('the host resolver rules alone block all names and addresses', async (t) => {
  t.same(await received(sample(1), { args: flagsNamed('host-resolver-rules') }), [])
})

await t.test('the WebRTC policy alone blocks datagrams', async (t) => {
  t.same(
    (await received(byUdp, { args: flagsNamed('force-webrtc'), patienceMs: 1_000 })).filter(({ what }) =>
      what.startsWith('udp'),
    ),
    [],
  )
})

await t.test('disabled scripts alone block all requests that need a script', async (t) => {
  const scripted = [...families.scripts, ...families.datagrams, ...families.navigations]
  const names = new Set(scripted.filter(({ name }) => !/refresh|iframe-download/.test(name)).map(({ name }) => name))
  const some = attacks.filter(({ name }) => names.has(name))
  t.ok(some.length > 50)
  t.same(await received(some, { javascript: false }), [])
})
