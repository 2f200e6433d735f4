import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import t from 'tap'
import { isPublicAddress, resolvePublic, UrlNotAllowed } from './public-address.ts'

const privateAddresses = [
  ...['127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ...['169.254.169.254', '100.64.0.1', '100.100.100.200', '192.0.0.192', '198.18.0.1', '203.0.113.5', '192.0.2.1'],
  ...['224.0.0.1', '240.0.0.1', '255.255.255.255', '168.63.129.16'],
  ...[
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:169.254.169.254',
    '::127.0.0.1',
    '::ffff:168.63.129.16',
  ],
  ...['64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::7f00:1', '2002:7f00:1::1', '2001::1', '2001:db8::1'],
  ...['fc00::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%lo', 'fec0::1', 'ff02::1', '2606:4700:4700::1111%eth0'],
]

t.test('public addresses', async (t) => {
  for (const ip of ['8.8.8.8', '1.1.1.1', '::ffff:8.8.8.8', '2606:4700:4700::1111'])
    t.equal(isPublicAddress(ip), true, ip)
})

t.test('private and reserved addresses', async (t) => {
  for (const ip of privateAddresses) t.equal(isPublicAddress(ip), false, ip)
})

t.test('text that is not a plain address is not public', async (t) => {
  for (const text of ['', 'localhost', 'example.com', '0x08.8.8.8', '010.8.8.8', '134744072', '8.8.8', ' 8.8.8.8']) {
    t.equal(isPublicAddress(text), false, text)
  }
})

t.test('every spelling of a private address is refused', async (t) => {
  const spellings = [
    ...['0x7f.1', '0x7f000001', '2130706433', '017700000001', '127.1', '127.0.0.1.', '127.0.0.1', '0', '0x0'],
    ...['[::]', '::', '[::1]', '::1', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '[fc00::1]'],
    ...['localhost', 'localhost.', 'LOCALHOST', '①②⑦.0.0.1', '127。0。0。1', '169.254.169.254', '0251.0376.0251.0376'],
    // Those of GHSA-78xj-cgh5-2h22, GHSA-2p57-rm9w-gvfp, GHSA-mwp4-54f8-5fhr, GHSA-4c8g-83qw-93j6 and GHSA-fph4-wmhf-6fwf.
    ...['012.1.2.3', '0x7F.1', '::fFFf:127.0.0.1', '000:0:0000::01', '127%2e0%2e0%2e1', '127%252e0%252e0%252e1'],
  ]
  for (const host of spellings) await t.rejects(resolvePublic(host, { allowPrivate: false }), UrlNotAllowed, host)
})

t.test('the public addresses of this machine are refused, as no firewall stands before them', async (t) => {
  const { networkInterfaces } = os
  const replace = (read: typeof networkInterfaces) => {
    os.networkInterfaces = read
    syncBuiltinESMExports()
  }
  t.teardown(() => replace(networkInterfaces))
  const own = ['8.8.4.4', '2606:4700:4700::1001']
  replace(() => ({ eth0: own.map((address) => ({ address }) as os.NetworkInterfaceInfo) }))
  for (const host of ['8.8.4.4', '[2606:4700:4700::1001]']) {
    await t.rejects(resolvePublic(host, { allowPrivate: false }), UrlNotAllowed, host)
  }
  t.match(await resolvePublic('8.8.8.8', { allowPrivate: false }), [{ address: '8.8.8.8' }])
})

t.test('a host with a port, path or credentials is refused', async (t) => {
  for (const host of [
    '',
    '8.8.8.8:81',
    'a@8.8.8.8',
    '8.8.8.8/x',
    '8.8.8.8#',
    '8.8.8.8?',
    '[8.8.8.8',
    'a b',
    '1.2.3.4.5',
    '\n',
  ]) {
    await t.rejects(resolvePublic(host, { allowPrivate: true }), UrlNotAllowed, host)
  }
})

t.test('public addresses are returned in canonical form', async (t) => {
  t.same(await resolvePublic('8.8.8.8', { allowPrivate: false }), [{ address: '8.8.8.8', family: 4 }])
  t.same(await resolvePublic('0x08080808', { allowPrivate: false }), [{ address: '8.8.8.8', family: 4 }])
  t.same(await resolvePublic('[2606:4700:4700::1111]', { allowPrivate: false }), [
    { address: '2606:4700:4700::1111', family: 6 },
  ])
})

t.test('private addresses where they are allowed', async (t) => {
  t.same(await resolvePublic('127.1', { allowPrivate: true }), [{ address: '127.0.0.1', family: 4 }])
  const addresses = await resolvePublic('localhost', { allowPrivate: true })
  t.ok(addresses.length > 0 && addresses.every(({ address }) => !isPublicAddress(address)))
})

t.test('an unknown name rejects with the lookup error', async (t) => {
  const err = await resolvePublic('nowhere.invalid', { allowPrivate: false }).catch((err: unknown) => err)
  t.match(err, { syscall: 'getaddrinfo' })
})

t.test('a name with one private address among its public ones is refused', async (t) => {
  const [open, closed] = [
    { address: '8.8.8.8', family: 4 },
    { address: '10.0.0.1', family: 4 },
  ]
  for (const found of [
    [open, closed],
    [closed, open],
  ])
    await t.rejects(resolvePublic('example.com', { allowPrivate: false, resolve: async () => found }), UrlNotAllowed)
})
