import { isPublicAddress, resolvePublic } from '@platen/shared/net/public-address.ts'
import t, { type Test } from 'tap'
import type { EgressPolicy } from '../../services/renderer/src/egress/egress-policy.ts'
import { openTestPrinter } from '../support/renderer/open-test-printer.ts'
import { payloads } from './payloads/all.ts'
import type { Payload } from './payloads/payload.ts'
import { aim } from './support/aim.ts'
import { attack } from './support/attack.ts'
import { openBareBrowser } from './support/bare-browser.ts'
import { inParallel } from './support/in-parallel.ts'
import { outside } from './support/name-server.ts'
import { type Heard, outsidePorts } from './support/outside.ts'
import { namespacesMissing, type OwnNetwork, openOwnNetwork, ownPublic, unshare } from './support/own-network.ts'

// Runs itself in a network namespace whose only cable leads to canaries that own every other address there is.
t.setTimeout(600_000)
const inside = 'PLATEN_INSIDE_NAMESPACE'

if (process.env[inside]) {
  await using network = await openOwnNetwork()
  await insideTests(network)
} else {
  const missing = namespacesMissing()
  const [command, ...args] = unshare
  const env = { ...process.env, [inside]: '1' }
  if (missing) t.test('a network of its own', { skip: missing }, async () => {})
  else t.spawn(command, [...args, process.execPath, import.meta.filename], { env }, 'in a network of its own')
}

async function insideTests(network: OwnNetwork) {
  const bombard = async (policy: EgressPolicy, host: string, some: readonly Payload[]): Promise<Heard> => {
    await using printer = await openTestPrinter({ egress: policy, deadlineMs: 4_000 })
    await network.heard()
    await inParallel(some, 3, async (payload) => {
      await attack(printer, aim(payload, { host, ports: outsidePorts, files: '/etc' }))
    })
    return network.heard()
  }

  await t.test('the network works: without a wall much is heard', async (t) => {
    await using browser = await openBareBrowser({ patienceMs: 1_000 })
    const names = [
      'img',
      'websocket',
      'metadata-plain',
      'rtc-stun',
      'rtc-stun-dns-port',
      'rebinding-names',
      'own-ports',
    ]
    const some = payloads.filter(({ name }) => names.includes(name))
    await inParallel(some, 4, (payload) =>
      browser.show(aim(payload, { host: outside.private, ports: outsidePorts, files: '/etc' })),
    )
    const { hits, names: asked, datagrams } = await network.heard()
    for (const what of ['http GET /img/a.png', 'websocket /websocket/a', 'http GET /latest/meta-data/iam/a.svg']) {
      t.ok(
        hits.some((hit) => hit.what === what),
        what,
      )
    }
    t.ok(
      hits.some(({ to }) => to === '169.254.169.254'),
      'the address of the metadata service',
    )
    t.ok(
      hits.some(({ what }) => what.startsWith('udp')),
      'udp',
    )
    t.ok(asked.includes('rebind.test'))
    t.ok(datagrams > asked.length, `${datagrams} datagrams, ${asked.length} questions`)
  })

  await t.test('an address of this machine is not for documents, however public it looks', async (t) => {
    const lost = { name: 'UrlNotAllowed' }
    t.match(await resolvePublic('public.test', { allowPrivate: false }), [{ address: outside.public }])
    for (const host of [ownPublic, `[::ffff:${ownPublic}]`, `${ownPublic}.nip.test`]) {
      await t.rejects(resolvePublic(host, { allowPrivate: false }), lost, host)
    }
  })

  await t.test('none: not one segment and not one datagram', async (t) => {
    const silence: Heard = { hits: [], names: [], tcpOpened: 0, tcpRefused: 0, datagrams: 0 }
    t.same(await bombard('none', outside.public, third(0)), silence)
  })

  await t.test('public: private addresses hear nothing', async (t) => {
    expectOnlyPublicGets(t, await bombard('public', outside.private, payloads))
  })

  await t.test('public: a public host hears GET and HEAD, and bytes on the port of TLS', async (t) => {
    const heard = await bombard('public', outside.public, third(1))
    expectOnlyPublicGets(t, heard)
    t.ok(heard.hits.length > 20)
  })
}

function expectOnlyPublicGets(t: Test, { hits, names, tcpOpened, tcpRefused, datagrams }: Heard) {
  t.same(
    hits.filter(({ to }) => !isPublicAddress(to)),
    [],
    'at private addresses',
  )
  t.same(
    hits.filter(({ what }) => !/^(http (GET|HEAD) |tcp connection)/.test(what)),
    [],
    'other than GET and HEAD',
  )
  t.equal(tcpOpened, hits.filter(({ what }) => what === 'tcp connection').length, 'connections')
  t.equal(tcpRefused, 0, 'connections to other ports')
  t.equal(datagrams, names.length, 'datagrams other than questions for names')
}

function third(first: number): Payload[] {
  return payloads.filter((_, index) => index % 3 === first)
}
