import { execFileSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type Hit, openCanaries } from './canaries.ts'
import { openNameServer } from './name-server.ts'

// The outside network: a process in its own network namespace, in which the canaries answer for every address.
// A message starts it when its end of the link exists.

export const outsidePorts = { http: 80, tcp: 443, udp: 3478 }

/** Traffic that arrived since the last report. */
export interface ReceivedTraffic {
  hits: Hit[]
  names: string[]
  /** TCP connections and datagrams to any port. */
  tcpOpened: number
  tcpRefused: number
  datagrams: number
  /** Multicast datagrams, including those of multicast DNS. */
  multicasts: number
}

const ip = (line: string) => execFileSync('ip', line.split(' '))

async function counters(): Promise<Pick<ReceivedTraffic, 'tcpOpened' | 'tcpRefused' | 'datagrams'>> {
  const count = (text: string, protocol: string, name: string) => {
    const [names = [], values = []] = text
      .split('\n')
      .filter((line) => line.startsWith(`${protocol}:`))
      .map((line) => line.split(/\s+/))
    return Number(values[names.indexOf(name)] ?? 0)
  }
  const v4 = await readFile('/proc/self/net/snmp', 'utf8')
  const more = await readFile('/proc/self/net/netstat', 'utf8')
  // A canary resets a connection whose sender is still sending, which a busy machine makes likely. These resets are no
  // refusals.
  const aborted = count(more, 'TcpExt', 'TCPAbortOnClose') + count(more, 'TcpExt', 'TCPAbortOnData')
  const v6 = await readFile('/proc/self/net/snmp6', 'utf8')
  const udp6 = ['Udp6InDatagrams', 'Udp6NoPorts'].map((name) =>
    Number(v6.match(new RegExp(`${name}\\s+(\\d+)`))?.[1] ?? 0),
  )
  return {
    tcpOpened: count(v4, 'Tcp', 'PassiveOpens'),
    tcpRefused: count(v4, 'Tcp', 'OutRsts') - aborted,
    datagrams: count(v4, 'Udp', 'InDatagrams') + count(v4, 'Udp', 'NoPorts') + udp6.reduce((sum, n) => sum + n, 0),
  }
}

/** Multicast DNS (RFC 6762). Without a member of its group, the kernel would not count its datagrams. */
async function openMulticastDns(record: () => void): Promise<void> {
  const socket = createSocket({ type: 'udp4', reuseAddr: true })
  socket.on('message', record)
  socket.bind(5353, '224.0.0.251')
  await once(socket, 'listening')
  socket.addMembership('224.0.0.251', '10.77.0.1')
}

if (import.meta.main) {
  process.once('message', async () => {
    ip('link set lo up')
    for (const family of ['-4', '-6'])
      ip(`${family} route add local ${family === '-4' ? '0.0.0.0/0' : '::/0'} dev lo table main`)
    ip('addr add 10.77.0.1/24 dev outer')
    ip('-6 addr add fd77::1/64 dev outer nodad')
    ip('link set outer up')
    const canaries = await openCanaries(['::'], outsidePorts)
    let multicasts = 0
    await openMulticastDns(() => {
      multicasts += 1
    })
    const nameServer = await openNameServer('::')
    let before = await counters()
    process.on('message', async () => {
      const now = await counters()
      const received: ReceivedTraffic = {
        hits: canaries.takeHits(),
        names: nameServer.names.splice(0),
        tcpOpened: now.tcpOpened - before.tcpOpened,
        tcpRefused: now.tcpRefused - before.tcpRefused,
        datagrams: now.datagrams - before.datagrams,
        multicasts,
      }
      multicasts = 0
      before = now
      process.send?.(received)
    })
    process.send?.('ready')
  })
  process.once('disconnect', () => process.exit())
}
