import { isPublicAddress, resolvePublic } from '@platen/foundation/net/public-address.ts'
import t, { type Test } from 'tap'
import { chromiumFlags } from '../../services/renderer/src/chromium/browser/chromium-flags.ts'
import type { EgressPolicy } from '../../services/renderer/src/egress/egress-policy.ts'
import { egressProxyHost } from '../../services/renderer/src/egress/egress-proxy.ts'
import { openTestPrinter } from '../support/renderer/open-test-printer.ts'
import { families, payloads } from './payloads/all.ts'
import type { Payload } from './payloads/payload.ts'
import { redirects } from './payloads/redirects.ts'
import { aim } from './support/aim.ts'
import { attack } from './support/attack.ts'
import { openBareBrowser } from './support/bare-browser.ts'
import { inParallel } from './support/in-parallel.ts'
import { outside } from './support/name-server.ts'
import { outsidePorts, type ReceivedTraffic } from './support/outside.ts'
import { namespacesMissing, type OwnNetwork, openOwnNetwork, ownPublic, unshare } from './support/own-network.ts'

// Runs in a network namespace whose only link leads to canaries that answer for every other address.
t.setTimeout(600_000)
const flags = chromiumFlags({ sandbox: false, webgl: true, proxyHost: egressProxyHost(), profile: '' })
const inside = 'PLATEN_INSIDE_NAMESPACE'

if (process.env[inside]) {
  await using network = await openOwnNetwork()
  await insideTests(network)
} else {
  const missing = namespacesMissing()
  const [command, ...args] = unshare
  const env = { ...process.env, [inside]: '1' }
  if (missing) t.test('in a network namespace', { skip: missing }, async () => {})
  else t.spawn(command, [...args, process.execPath, import.meta.filename], { env }, 'in a network namespace')
}

async function insideTests(network: OwnNetwork) {
  const attackWith = async (
    policy: EgressPolicy,
    host: string,
    some: readonly Payload[],
    deadlineMs = 4_000,
  ): Promise<ReceivedTraffic> => {
    await using printer = await openTestPrinter({ egress: policy, deadlineMs })
    await network.received()
    await inParallel(some, 3, async (payload) => {
      await attack(printer, aim(payload, { host, ports: outsidePorts, files: '/etc' }))
    })
    return network.received()
  }

  await t.test('without protection the canaries receive requests, datagrams and DNS queries', async (t) => {
    const names = [
      'img',
      'websocket',
      'metadata-plain',
      'rtc-stun',
      'rtc-stun-dns-port',
      'rebinding-names',
      'own-ports',
      'rtc-mdns',
    ]
    const some = payloads.filter(({ name }) => names.includes(name))
    const wanted = ['http GET /img/a.png', 'websocket /websocket/a', 'http GET /latest/meta-data/iam/a.svg']
    const all: ReceivedTraffic[] = []
    const missing = () => {
      const hits = all.flatMap(({ hits }) => hits)
      const queried = all.flatMap(({ names }) => names)
      const datagrams = all.reduce((sum, { datagrams }) => sum + datagrams, 0)
      return Object.entries({
        ...Object.fromEntries(wanted.map((what) => [what, hits.some((hit) => hit.what === what)])),
        'the address of the metadata service': hits.some(({ to }) => to === '169.254.169.254'),
        udp: hits.some(({ what }) => what.startsWith('udp')),
        'a DNS query': queried.includes('rebind.test'),
        'multicast DNS': all.some(({ multicasts }) => multicasts > 0),
        'datagrams that are not DNS queries': datagrams > queried.length,
      }).flatMap(([what, seen]) => (seen ? [] : [what]))
    }
    // A busy machine needs longer.
    for (const patienceMs of [1_000, 5_000, 20_000]) {
      if (missing().length === 0) break
      await using browser = await openBareBrowser({ patienceMs })
      await inParallel(some, 4, (payload) =>
        browser.show(aim(payload, { host: outside.private, ports: outsidePorts, files: '/etc' })),
      )
      all.push(await network.received())
    }
    t.same(missing(), [])
  })

  await t.test('the WebRTC policy and the switched off feature block multicast DNS, each alone', async (t) => {
    const some = payloads.filter(({ name }) => name === 'rtc-mdns')
    for (const flag of flags.filter((flag) => /^--(force-webrtc|disable-features)/.test(flag))) {
      await using browser = await openBareBrowser({ args: [flag], patienceMs: 1_000 })
      for (const payload of some) {
        await browser.show(aim(payload, { host: outside.private, ports: outsidePorts, files: '/etc' }))
      }
      t.equal((await network.received()).datagrams, 0, flag)
    }
  })

  await t.test('public addresses of this machine are refused', async (t) => {
    const lost = { name: 'UrlNotAllowed' }
    t.match(await resolvePublic('public.test', { allowPrivate: false }), [{ address: outside.public }])
    for (const host of [ownPublic, `[::ffff:${ownPublic}]`, `${ownPublic}.nip.test`]) {
      await t.rejects(resolvePublic(host, { allowPrivate: false }), lost, host)
    }
  })

  await t.test('RENDER_EGRESS=none sends no TCP segment and no datagram', async (t) => {
    const silence: ReceivedTraffic = { hits: [], names: [], tcpOpened: 0, tcpRefused: 0, datagrams: 0, multicasts: 0 }
    t.same(await attackWith('none', outside.public, [...third(0), ...families.datagrams]), silence)
  })

  await t.test('RENDER_EGRESS=public sends nothing to private addresses', async (t) => {
    // test/hostile/loopback.test.ts aims all payloads at a private address.
    const others = [...third(0), ...third(2)].filter((payload) => !families.addresses.includes(payload))
    expectOnlyPublicGets(t, await attackWith('public', outside.private, [...families.addresses, ...others]))
  })

  await t.test('what an allowed host redirects to is checked, also if its name changes its address', async (t) => {
    const hits: (string | undefined)[] = []
    const names: string[] = []
    const missing = () => [
      ...redirects.map(({ name }) => name).filter((name) => hits.filter((hit) => hit === name).length < 10),
      ...(names.filter((name) => name === 'rebind.test').length < 6 ? ['the name was resolved again'] : []),
    ]
    // A busy machine needs longer.
    for (const deadlineMs of [4_000, 20_000]) {
      if (hits.length > 0 && missing().length === 0) break
      const received = await attackWith('public', outside.public, redirects, deadlineMs)
      expectOnlyPublicGets(t, received)
      hits.push(...received.hits.map(({ payload }) => payload))
      names.push(...received.names)
    }
    t.same(missing(), [])
  })

  await t.test('RENDER_EGRESS=public sends only GET, HEAD and TLS connections to public addresses', async (t) => {
    const received = await attackWith('public', outside.public, third(1))
    expectOnlyPublicGets(t, received)
    t.ok(received.hits.length > 20)
  })
}

function expectOnlyPublicGets(t: Test, { hits, names, tcpOpened, tcpRefused, datagrams, multicasts }: ReceivedTraffic) {
  t.same(
    hits.filter(({ to }) => !isPublicAddress(to)),
    [],
    'requests to private addresses',
  )
  t.same(
    hits.filter(({ what }) => !/^(http (GET|HEAD) |tcp connection)/.test(what)),
    [],
    'requests other than GET and HEAD',
  )
  t.equal(tcpOpened, hits.filter(({ what }) => what === 'tcp connection').length, 'connections')
  t.equal(tcpRefused, 0, 'connections to other ports')
  t.equal(multicasts, 0, 'multicast DNS')
  t.equal(datagrams, names.length, 'datagrams other than DNS queries')
}

function third(first: number): Payload[] {
  return payloads.filter((_, index) => index % 3 === first)
}
