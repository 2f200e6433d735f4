import { webhookTestSubject } from '@platen/domain/delivery/webhook-test.ts'
import { createOwner } from '@platen/domain/owner/owners.ts'
import { isPublicAddress } from '@platen/foundation/net/public-address.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import t from 'tap'
import { startTestGateway, testConfig } from '../support/gateway/test-gateway.ts'
import { addresses } from './payloads/addresses.ts'
import { redirectsTo } from './payloads/redirects.ts'
import { aim } from './support/aim.ts'
import { inParallel } from './support/in-parallel.ts'
import { outside } from './support/name-server.ts'
import { outsidePorts } from './support/outside.ts'
import { namespacesMissing, type OwnNetwork, openOwnNetwork, ownPublic, unshare } from './support/own-network.ts'

// POST /v1/webhooks/test sends a request to any URL of a client, and shows what came back. Runs as network.test.ts does: the canaries
// answer for every address outside of the namespace.
t.setTimeout(600_000)
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

/**
 * Every private URL to which the hostile documents send a request, and those of this machine and of names whose address
 * changes.
 */
function hostileUrls(): string[] {
  const range = { host: outside.private, ports: outsidePorts, files: '/etc' }
  const inDocuments = addresses.flatMap((payload) =>
    [...aim(payload, range).html.matchAll(/src="([^"]+)"/g)].map(([, url = '']) => url),
  )
  const hosts = ['private.test', 'both.test', 'mapped.test', ownPublic, `[::ffff:${ownPublic}]`, '[fd77::2]', '[::]']
  return [...new Set([...inDocuments, ...hosts.map((host) => `http://${host}/`)])].filter(
    // This name has a public address at times.
    (url) => URL.canParse(url) && !url.includes('rebind.test'),
  )
}

async function insideTests(network: OwnNetwork) {
  await using gateway = await startTestGateway({ webhookAllowPrivate: false })
  await using _notifier = await gateway.startNotifier({ signingSecret: testConfig.signingSecret, allowPrivate: false })

  /** Each test has its own owner, because an owner may send ten a minute. */
  const askGateway = async (webhook_url: string) => {
    const owner = await createOwner(gateway.services.store, 'Attacker')
    return gateway.call('POST', `/v1/webhooks/test?owner=${owner}`, { body: { webhook_url } })
  }
  /** Asks the notifier directly, as if the name had a public address when the gateway resolved it. */
  const askNotifier = async (webhook_url: string) => {
    const request = { delivery_id: newId('msg'), owner_id: 'own_default', webhook_url, type: 'generation.completed' }
    const answer = await gateway.services.bus.nats.request(webhookTestSubject, JSON.stringify(request), {
      timeout: 60_000,
    })
    return answer.json<{ status?: number; error?: string; response?: string }>()
  }
  const privateHits = async () => {
    const { hits, tcpOpened } = await network.received()
    return { hits: hits.filter(({ to }) => !isPublicAddress(to)), tcpOpened }
  }
  const nothing = { hits: [], tcpOpened: 0 }

  await t.test('a public receiver is reached, which shows that the canaries answer', async (t) => {
    t.match(await askGateway(`http://${outside.public}/a.txt`), {
      status: 200,
      body: { status: 200, response: String },
    })
    t.match((await network.received()).hits, [{ what: 'tcp connection' }, { what: 'http POST /a.txt' }])
  })

  await t.test('no URL leads to a private address, at the gateway and again at the notifier', async (t) => {
    const urls = hostileUrls()
    t.ok(urls.length > 80, `${urls.length} URLs`)
    await inParallel(urls, 4, async (url) => {
      const { status, body } = await askGateway(url)
      // A host that is not known, yet, is not refused, and is not reached.
      const isUnknown = status === 200 && body.error === 'the host is unknown or not public'
      if (!isUnknown && status !== 422 && status !== 400) t.fail(`the gateway sends to ${url}`, { status, body })
    })
    t.same(await privateHits(), nothing)
    for (const url of urls) {
      const { error, ...answer } = await askNotifier(url)
      if (error === undefined) t.fail(`the notifier sends to ${url}`, answer)
    }
    t.same(await privateHits(), nothing)
  })

  await t.test('a name that changes its address, and a redirect, do not lead to one', async (t) => {
    const url = 'http://rebind.test/rebind'
    for (let tries = 0; tries < 6; tries++) await Promise.all([askGateway(url), askNotifier(url)])
    const { hits, names } = await network.received()
    t.ok(names.filter((name) => name === 'rebind.test').length > 6, 'the name was resolved again')
    t.same(
      hits.filter(({ to }) => !isPublicAddress(to)),
      [],
    )
    for (const to of redirectsTo(outside.private)) {
      const { body } = await askGateway(`http://${outside.public}${to}`)
      t.match(body, { status: /^30[12378]$/ }, to)
    }
    t.same((await privateHits()).hits, [])
  })
}
