import { readEmbeddedNats, servicesUser } from '@platen/service-kit/host/embedded-nats.ts'
import { connect, type Msg } from 'nats'
import type { Counts } from './counts.ts'

/** What the services of a Platen and its nats-server send to each other. */
export interface MessageWatch extends AsyncDisposable {
  /** The messages so far, by kind: `published <subject>`, `delivered <subject>`, `ack <consumer>`, `stored in <stream>`, `answer`. */
  read(): Promise<Counts>
  /** Their bytes so far, by kind: subject, headers and content. */
  bytes(): Promise<Counts>
}

/** Sees each message once when it is sent, and once more when JetStream delivers it. */
export async function watchMessages({ dataDir }: { dataDir: string }): Promise<MessageWatch> {
  const embedded = await readEmbeddedNats(dataDir)
  if (!embedded) throw new Error(`no nats-server has its configuration in ${dataDir}`)
  const nats = await connect({
    servers: `127.0.0.1:${embedded.port}`,
    user: servicesUser,
    pass: embedded.passwords.services,
  })
  const seen = new Map<string, number>()
  const bytes = new Map<string, number>()
  nats.subscribe('>', {
    callback(err, message) {
      const kind = err ? `error ${err.message}` : kindOf(message)
      seen.set(kind, (seen.get(kind) ?? 0) + 1)
      bytes.set(kind, (bytes.get(kind) ?? 0) + (err ? 0 : bytesOf(message)))
    },
  })
  await nats.flush()
  return {
    async read() {
      await nats.flush()
      return Object.fromEntries(seen)
    },
    async bytes() {
      await nats.flush()
      return Object.fromEntries(bytes)
    },
    [Symbol.asyncDispose]: () => nats.close(),
  }
}

function bytesOf({ subject, reply = '', headers, data }: Msg): number {
  // A line for each header, with `: ` and a line break, between a first line and an empty one.
  const lines = [...(headers ?? [])].flatMap(([name, values]) => values.map((value) => `${name}: ${value}\r\n`))
  const header = headers ? Buffer.byteLength(`NATS/1.0\r\n${lines.join('')}\r\n`) : 0
  return Buffer.byteLength(subject) + Buffer.byteLength(reply) + header + data.length
}

function kindOf(message: Msg): string {
  const { subject, reply = '' } = message
  const [first, second, third, fourth] = subject.split('.')
  if (first === '_INBOX' || first === 'replies') return kindOfAnswer(message)
  if (subject.startsWith('$JS.ACK.')) return `ack ${fourth}`
  if (subject.startsWith('$JS.API.CONSUMER.MSG.NEXT.')) return `pull ${subject.split('.').at(-1)}`
  if (subject.startsWith('$JS.')) return [first, second, third, fourth].join('.')
  if (subject.startsWith('$KV.')) return `${first}.${second}`
  const name = [first, second, third].join('.')
  return reply.startsWith('$JS.ACK.') ? `delivered ${name}` : `published ${name}`
}

function kindOfAnswer({ headers, data }: Msg): string {
  const code = headers?.code ?? 0
  if (code >= 400) return code === 404 ? 'answer: nothing there' : 'pull ended'
  const text = data.length < 10_000 ? Buffer.from(data).toString() : ''
  const [, stream] = /^\{"stream":"(\w+)", ?"seq":\d+/.exec(text) ?? []
  if (stream !== undefined) return `stored in ${stream}`
  return /^\{"(type":"io\.nats|server":)/.test(text) ? 'answer of the server' : 'answer'
}
