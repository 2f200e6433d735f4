import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** Addresses outside of the namespace: one the proxy may connect to, and one it must not. */
export const outside = { public: '93.184.216.34', private: '10.0.0.5' }

const a = 1
const aaaa = 28

/** Addresses of names under `test`. The address of `rebind.test` changes with each query, as in DNS rebinding. */
function addressesOf(name: string, queries: number): string[] {
  if (/^[\d.]+\.nip\.test$/.test(name)) return [name.replace('.nip.test', '')]
  const known: Record<string, string[]> = {
    'public.test': [outside.public],
    'private.test': [outside.private],
    'both.test': [outside.public, outside.private],
    'rebind.test': [queries % 2 === 0 ? outside.public : outside.private],
  }
  return known[name] ?? []
}

/** A name server (RFC 1035) that records the queried names. */
export async function openNameServer(host: string): Promise<AsyncDisposable & { names: string[] }> {
  const names: string[] = []
  const socket = createSocket({ type: 'udp6', ipv6Only: false })
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query)
    const queries = names.filter((other) => other === name).length
    names.push(name)
    const addresses = type === a ? addressesOf(name, queries) : []
    const mapped = type === aaaa && name === 'mapped.test' ? [Buffer.from(`${'00'.repeat(10)}ffff0a000005`, 'hex')] : []
    const answers = [...addresses.map((ip) => Buffer.from(ip.split('.').map(Number))), ...mapped]
    const known =
      answers.length > 0 || (name.endsWith('.test') && addressesOf(name, 0).length > 0) || name === 'mapped.test'
    socket.send(answer(query.subarray(0, end), type, answers, known), from.port, from.address)
  })
  socket.bind(53, host)
  await once(socket, 'listening')
  return {
    names,
    async [Symbol.asyncDispose]() {
      socket.close()
    },
  }
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** A response with the header and question of the query, and records with a TTL of 0. */
function answer(question: Buffer, type: number, addresses: Buffer[], known: boolean): Buffer {
  const header = Buffer.from(question)
  header.writeUInt16BE(known ? 0x8580 : 0x8583, 2)
  header.writeUInt16BE(addresses.length, 6)
  header.writeUInt32BE(0, 8)
  const records = addresses.map((address) => {
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc00c, 0)
    record.writeUInt16BE(type, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt16BE(address.length, 10)
    return Buffer.concat([record, address])
  })
  return Buffer.concat([header, ...records])
}
