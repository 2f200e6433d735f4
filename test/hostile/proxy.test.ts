import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import t from 'tap'
import {
  basic,
  type EgressProxy,
  egressProxyHost,
  startEgressProxy,
} from '../../services/renderer/src/egress/egress-proxy.ts'
import { openTestPrinter } from '../support/renderer/open-test-printer.ts'
import { addresses } from './payloads/addresses.ts'
import { aim } from './support/aim.ts'
import { showsSecret } from './support/attack.ts'
import { openCanaries } from './support/canaries.ts'

// Tests the egress proxy without a browser, also with requests that no browser would send.
const limits = { resources: 1_000, resourceBytes: 1e6, resourceTimeoutMs: 1_000 }
const log = createLogger('test', 'silent')
const publicAddress = '93.184.216.34'

/** A resolver that returns the answers one after the other, and repeats the last one. */
function resolving(...answers: string[][]) {
  const queried: string[] = []
  const resolve = async (host: string) => {
    queried.push(host)
    const answer = answers[Math.min(queried.length, answers.length) - 1] ?? []
    return answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
  return { queried, resolve }
}

async function get(proxy: EgressProxy, url: string): Promise<number> {
  const { hostname, port } = new URL(proxy.url)
  const headers = { 'proxy-authorization': basic(proxy.credentials) }
  const [answer] = await once(request({ host: hostname, port, path: url, headers, agent: false }).end(), 'response')
  return answer.resume().statusCode
}

async function tunnel(proxy: EgressProxy, authority: string): Promise<number> {
  const { hostname, port } = new URL(proxy.url)
  const socket = connect(Number(port), hostname)
  const authorization = `proxy-authorization: ${basic(proxy.credentials)}`
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${authorization}\r\n\r\n`)
  const [head] = await once(socket, 'data')
  socket.destroy()
  return Number(String(head).split(' ')[1])
}

async function open(resolve?: ReturnType<typeof resolving>['resolve']): Promise<EgressProxy> {
  const options = { host: egressProxyHost(), policy: 'public', limits, log, ...(resolve && { resolve }) } as const
  const proxy = await startEgressProxy(options)
  proxy.reset()
  return proxy
}

await t.test('a name is refused if any of its addresses is not public', async (t) => {
  const sets = [
    ['127.0.0.1'],
    [publicAddress, '10.0.0.5'],
    ['169.254.169.254'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['64:ff9b::7f00:1'],
  ]
  for (const answer of [
    ...sets,
    ['fd00:ec2::254'],
    ['0.0.0.0'],
    ['100.100.100.200'],
    [publicAddress, '::'],
    ['2002:7f00:1::1'],
  ]) {
    await using proxy = await open(resolving(answer).resolve)
    t.equal(await get(proxy, 'http://name.test/'), 403, answer.join())
    t.equal(await tunnel(proxy, 'name.test:443'), 403, answer.join())
  }
})

await t.test('a name is resolved once for each request, and the proxy connects to the checked address', async (t) => {
  await using canaries = await openCanaries(['127.0.0.1'])
  const { queried, resolve } = resolving([publicAddress], ['127.0.0.1'])
  await using proxy = await open(resolve)
  const first = get(proxy, `http://name.test:${canaries.ports.http}/`)
  t.equal(await get(proxy, `http://name.test:${canaries.ports.http}/`), 403, 'the second answer is private')
  t.ok([502, 504].includes(await first), 'nothing answers at the first address')
  t.same(queried, ['name.test', 'name.test'])
  t.same(canaries.takeHits(), [])
})

await t.test('the target of a redirect is checked like any other URL', async (t) => {
  await using canaries = await openCanaries(['127.0.0.1', '::1'])
  await using printer = await openTestPrinter({ egress: 'any', slots: 1 })
  const { http } = canaries.ports
  const into = (to: string) => `http://127.0.0.1:${http}/x/redirect?to=${encodeURIComponent(to)}`
  const html = `<p>x</p><img src="${into('file:///etc/passwd')}"><iframe src="${into('file:///etc/passwd')}"></iframe>
    <img src="${into('data:text/html,x')}"><iframe src="${into('chrome://version')}"></iframe>`
  const printed = await printer.printHtml(html)
  t.equal(await showsSecret(printed), false)
  t.ok(canaries.takeHits().some(({ what }) => what.includes('redirect')))
})

/** Every user of the machine can list them. */
async function proxiesOfPages(): Promise<{ host: string; port: number }[]> {
  const lines = (await readFile('/proc/self/net/tcp', 'utf8')).split('\n')
  return lines.flatMap((line) => {
    const [, hex = '', portHex = ''] = /^ *\d+: (\w{6}7F):(\w{4}) 0{8}:0000 0A/.exec(line) ?? []
    const host = [...Buffer.from(hex, 'hex')].reverse().join('.')
    return hex === '' || host === '127.0.0.1' ? [] : [{ host, port: Number.parseInt(portHex, 16) }]
  })
}

await t.test('another process gets nothing from the proxy of a page, idle or in use', async (t) => {
  await using canaries = await openCanaries(['127.0.0.1'])
  await using printer = await openTestPrinter({ egress: 'any', slots: 1 })
  const canary = `127.0.0.1:${canaries.ports.http}`
  const statuses = new Set<number>()
  const tryAll = async () => {
    for (const proxy of await proxiesOfPages()) {
      const asked = request({ ...proxy, path: `http://${canary}/stolen.svg`, agent: false }).end()
      const connecting = request({ ...proxy, method: 'CONNECT', path: canary, agent: false }).end()
      // The pages of other tests may close in the meantime.
      const answers = await Promise.allSettled([once(asked, 'response'), once(connecting, 'connect')])
      for (const answer of answers) {
        if (answer.status === 'rejected') continue
        statuses.add(answer.value[0].statusCode)
        answer.value[0].destroy()
      }
    }
  }
  await tryAll()
  const html = `<img src="http://${canary}/own.svg"><script>onload = () => setTimeout(() => {}, 500)</script>`
  const printing = printer.printHtml(html)
  await tryAll()
  t.strictSame((await printing).warnings, [])
  t.strictSame([...statuses], [407])
  const paths = canaries.takeHits().filter(({ what }) => what.startsWith('http'))
  t.match(paths, [{ what: 'http GET /own.svg' }])
  t.equal(paths.length, 1)
  await printer.printHtml(`<img src="https://127.0.0.1:${canaries.ports.tcp}/own.svg">`)
  t.match(canaries.takeHits(), [{ what: 'tcp connection' }], 'tunnels of the page are signed in, too')
})

await t.test('every spelling of a private address is refused', async (t) => {
  await using proxy = await open()
  for (const payload of addresses) {
    const { html } = aim(payload, { host: '127.0.0.1', ports: { http: 9, tcp: 9, udp: 9 }, files: '' })
    for (const [, authority = ''] of html.matchAll(/src="http:\/\/([^/"]+)\//g)) {
      if (/\.test|internal/.test(authority)) continue
      const status = await get(proxy, `http://${encodeURI(authority)}/`)
      t.ok(status === 403 || status === 400 || status === 502, `${authority}: ${status}`)
    }
  }
})
