import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { startFakeEventStoreDb } from '@platen/test-support/fake-eventstoredb/start-fake-eventstoredb.ts'
import { type Certificate, selfSigned } from '@platen/test-support/self-signed.ts'
import { until } from '@platen/test-support/until.ts'
import t, { type Test } from 'tap'
import { newEvent, readAll } from '../../suite/given-store.ts'
import { openEventStore } from '../open-event-store.ts'
import { withUser } from './service-rights.ts'
import { setUpEventStoreDb } from './set-up.ts'

const skip = spawnSync('openssl', ['version']).status === 0 ? false : 'no openssl'

/** A time limit for busy machines. */
const patient = { timeoutMs: 60_000 }

/** Resolves to the outcome of a check with these settings; `ok` if it passes. */
async function checked(url: string): Promise<string> {
  const store = await openEventStore(url)
  try {
    await store.check(patient)
    return 'ok'
  } catch (err) {
    return err instanceof Error ? `${err.name}: ${err.message}` : String(err)
  } finally {
    await store.close()
  }
}

function certificate(t: Test, options?: Parameters<typeof selfSigned>[1]): Certificate {
  const made = selfSigned(t, options)
  if (!made) throw new Error('openssl is missing')
  return made
}

t.test('TLS: each wrong setting is named, with what to do', { skip }, async (t) => {
  const own = certificate(t)
  await using fake = await startFakeEventStoreDb({ tls: own })
  const at = (login: string, query: string) => `esdb://${login}127.0.0.1:${fake.port}?${query}`
  const admin = 'admin:changeit@'
  const trusted = `tlsCAFile=${encodeURIComponent(own.certPath)}`
  t.equal(await checked(at(admin, trusted)), 'ok')
  t.match(await checked(at(admin, '')), /^StoreMisconfigured: EVENT_STORE_URL: .*unknown CA; set tlsCAFile/)
  t.match(await checked(at('', 'tls=false')), /^StoreMisconfigured: .*the server uses TLS; remove tls=false/)
  t.match(await checked(at('admin:no@', trusted)), /^StoreMisconfigured: .*refuses the user or its password/)
  fake.setUser('platen', 'p@ss')
  t.match(
    await checked(at('platen:p%40ss@', trusted)),
    /^StoreMisconfigured: .*the user lacks a right.*platen eventstore setup/,
  )

  const foreign = certificate(t, { host: 'elsewhere.test' })
  await using elsewhere = await startFakeEventStoreDb({ tls: foreign })
  const url = `esdb://${admin}127.0.0.1:${elsewhere.port}?tlsCAFile=${encodeURIComponent(foreign.certPath)}`
  t.match(await checked(url), /^StoreMisconfigured: .*for another host name/)

  const late = certificate(t, { expired: true })
  await using outdated = await startFakeEventStoreDb({ tls: late })
  const old = `esdb://${admin}127.0.0.1:${outdated.port}?tlsCAFile=${encodeURIComponent(late.certPath)}`
  t.match(await checked(old), /^StoreMisconfigured: .*has expired; renew it/)

  await using plain = await startFakeEventStoreDb()
  const toPlain = `${admin}127.0.0.1:${plain.port}`
  t.match(await checked(`esdb://${toPlain}`), /^StoreMisconfigured: .*does not use TLS; add tls=false/)
  t.match(
    await checked(`esdb+discover://${toPlain}?maxDiscoverAttempts=1`),
    /^StoreMisconfigured: .*does not use TLS; add tls=false/,
    'the client does not say why it finds no leader',
  )
})

t.test('another server than EventStoreDB is named', async (t) => {
  const web = createServer((_, response) => response.end('<h1>Hello')).listen(0, '127.0.0.1')
  t.teardown(() => web.close())
  await once(web, 'listening')
  const { port } = web.address() as { port: number }
  const wanted = new RegExp(
    `^StoreMisconfigured: EVENT_STORE_URL: 127.0.0.1:${port}: what answers there is not EventStoreDB$`,
  )
  t.match(await checked(`esdb://127.0.0.1:${port}?tls=false`), wanted)
  t.match(await checked(`esdb+discover://127.0.0.1:${port}?tls=false&maxDiscoverAttempts=1`), wanted)
})

t.test('a server that speaks another protocol is named, without waiting for it', async (t) => {
  const banner = createTcpServer((socket) => socket.end('INFO {"server_id":"x"}\r\n').on('error', () => {}))
  t.teardown(() => banner.close())
  await once(banner.listen(0, '127.0.0.1'), 'listening')
  const { port } = banner.address() as { port: number }
  const wanted = /^StoreMisconfigured: .*what answers there is not EventStoreDB$/
  t.match(await checked(`esdb://127.0.0.1:${port}?tls=false`), wanted)
})

t.test('an engine that is away is no wrong setting', async (t) => {
  t.equal(
    await checked('esdb://127.0.0.1:1?tls=false'),
    'StoreUnavailable: EVENT_STORE_URL: no event store answers at 127.0.0.1:1 (ECONNREFUSED)',
  )
  t.match(
    await checked('esdb+discover://127.0.0.1:1?tls=false&maxDiscoverAttempts=1'),
    /^StoreUnavailable: .*ECONNREFUSED/,
  )
  await using fake = await startFakeEventStoreDb()
  t.equal(await checked(fake.url), 'ok')
  fake.role = { kind: 'unready' }
  t.match(await checked(fake.url), /^StoreUnavailable: .*no leader or no quorum/)
  fake.role = { kind: 'leader' }
  fake.link.silence()
  const store = await openEventStore(fake.url)
  await t.rejects(store.check({ timeoutMs: 300 }), { name: 'StoreUnavailable', message: /does not answer/ })
  await store.close()
})

t.test('a follower is refused as the only server of the URL, and left for its leader at run time', async (t) => {
  await using leader = await startFakeEventStoreDb()
  await using node = await startFakeEventStoreDb()
  const store = await openEventStore(node.url)
  const writer = await openEventStore(leader.url)
  t.teardown(() => Promise.all([store.close(), writer.close()]))
  await store.check(patient)
  node.role = { kind: 'follower', count: node.count, leader: { host: '127.0.0.1', port: leader.port } }
  t.match(
    await checked(node.url),
    new RegExp(`^StoreMisconfigured: .*is a follower; name all nodes of the cluster.*127.0.0.1:${leader.port}`),
  )
  await writer.append('note-a', [newEvent(1)], 'none')
  const read = () => readAll(store.readStream('note-a'))
  await t.rejects(read(), { name: 'StoreUnavailable' }, 'no old state is shown')
  const found = await until(() => read().catch(() => undefined), 'the leader is not asked')
  t.equal(found.length, 1)
})

t.test('files that are not there or hold no certificate are named', async (t) => {
  const empty = join(t.testdir(), 'empty.pem')
  writeFileSync(empty, 'no certificate')
  const url = (path: string) => `esdb://user:secret@127.0.0.1?tlsCAFile=${encodeURIComponent(path)}`
  await t.rejects(
    openEventStore(url('/nowhere/ca.crt')),
    /EVENT_STORE_URL must name a file in PEM in tlsCAFile: ENOENT/,
  )
  await t.rejects(openEventStore(url(empty)), /empty\.pem is none/)
})

t.test('no quorum: neither reads nor appends are answered from a follower', async (t) => {
  await using fake = await startFakeEventStoreDb()
  const store = await openEventStore(fake.url)
  t.teardown(() => store.close())
  await store.append('note-a', [newEvent(1)], 'none')
  fake.role = { kind: 'follower', count: fake.count }
  await t.rejects(readAll(store.readStream('note-a')), { name: 'StoreUnavailable' })
  await t.rejects(store.append('note-a', [newEvent(2)], 0), { name: 'OutcomeUnknown' })
  await t.rejects(store.check(), { name: 'StoreUnavailable', message: 'EVENT_STORE_URL: the server knows no leader' })
})

t.test(
  'a user may lose a right while Platen runs: a check names it, and a subscription goes on',
  { skip },
  async (t) => {
    const own = certificate(t)
    await using fake = await startFakeEventStoreDb({ tls: own })
    const query = `tlsCAFile=${encodeURIComponent(own.certPath)}`
    const admin = await openEventStore(`${fake.url}?${query}`)
    t.teardown(() => admin.close())
    const leaving = new AbortController()
    const items = admin
      .subscribe({ after: 'start', categories: ['note'], signal: leaving.signal })
      [Symbol.asyncIterator]()
    await admin.append('note-a', [newEvent(1)], 'none')
    const untilEvent = async () => {
      for (;;) {
        const { value } = await items.next()
        if (value?.kind === 'event') return value.event.data
        if (value?.kind === 'lost') return 'lost'
      }
    }
    t.strictSame(await untilEvent(), 1)
    fake.setUser('admin', 'another')
    await t.rejects(admin.check(patient), /refuses the user or its password/)
    await t.rejects(admin.append('note-a', [newEvent(2)], 0), { name: 'StoreUnavailable' })
    const renewed = await openEventStore(`${fake.url.replace('changeit', 'another')}?${query}`)
    t.teardown(() => renewed.close())
    await renewed.append('note-a', [newEvent(2)], 0)
    t.strictSame(await untilEvent(), 2, 'credentials are checked when a call begins')
    leaving.abort()

    await fake.write('$settings', 'update-default-acl', { $userStreamAcl: { $r: '$all', $w: 'someone' } })
    await t.rejects(renewed.check(patient), { name: 'StoreMisconfigured', message: /the user lacks a right/ })
  },
)

t.test('the setup makes a user with the rights of the services, and shuts others out', { skip }, async (t) => {
  const own = certificate(t)
  await using fake = await startFakeEventStoreDb({ tls: own })
  const query = `?tlsCAFile=${encodeURIComponent(own.certPath)}`
  const setUp = async (name = 'platen', dryRun = false) => {
    const changes = []
    const user = { name, password: 'p:w' }
    for await (const { change } of setUpEventStoreDb(`${fake.url}${query}`, user, { projections: false, dryRun }))
      changes.push(change)
    return changes
  }
  const checkedAs = (name: string, password = 'p%3Aw') =>
    checked(`esdb://${name}:${password}@127.0.0.1:${fake.port}${query}`)
  const all = ['created', 'changed', 'changed']
  const none = ['unchanged', 'unchanged', 'unchanged']
  t.strictSame(await setUp('platen', true), all, 'a dry run')
  t.match(await checkedAs('platen'), /refuses the user/, 'which changes nothing')
  t.strictSame(await setUp(), all)
  t.equal(await checkedAs('platen'), 'ok')
  t.strictSame(await setUp(), none)
  t.strictSame(await setUp('platen', true), none)
  fake.setUser('other', 'x')
  t.match(await checkedAs('other', 'x'), /the user lacks a right/)

  t.strictSame(await setUp('platen-2', true), all)
  t.strictSame(await setUp('platen-2'), all)
  for (const user of ['platen', 'platen-2']) t.equal(await checkedAs(user), 'ok', `${user}, beside the other`)
  for (const user of ['platen', 'platen-2']) t.strictSame(await setUp(user), none)
  t.match(await checkedAs('other', 'x'), /the user lacks a right/)

  const ofOthers = { $r: 'other', $w: ['other', '$admins'], $d: 'other' }
  await fake.write('$settings', 'update-default-acl', { $userStreamAcl: ofOthers, more: 1 })
  t.match(await checkedAs('platen'), /the user lacks a right/)
  t.strictSame(await setUp(), ['unchanged', 'unchanged', 'changed'])
  t.equal(await checkedAs('platen'), 'ok')
  t.strictSame(withUser({ $userStreamAcl: ofOthers }, 'a'), {
    $userStreamAcl: { $r: ['other', 'a'], $w: ['other', '$admins', 'a'], $d: 'other' },
  })
  const open = { $userStreamAcl: { $w: '$all' } }
  t.equal(withUser(open, 'a'), open, 'everyone may')
  const wrong = setUpEventStoreDb(
    `${fake.url.replace('changeit', 'no')}${query}`,
    { name: 'x', password: 'x' },
    { projections: false },
  )
  await t.rejects(wrong.next(), /refuses the user or its password/)
})
