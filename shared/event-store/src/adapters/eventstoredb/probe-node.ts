import { isIP, connect as openTcp, type Socket } from 'node:net'
import { connect as openTls } from 'node:tls'
import type { EventStoreDbConnection, Node } from './url.ts'

const timeoutMs = 3_000

/** The first byte of what a server with TLS answers: https://www.rfc-editor.org/rfc/rfc8446#section-5.1 */
const tlsAlert = 21
/** The type of the first frame, after its length: https://www.rfc-editor.org/rfc/rfc9113#section-3.4 */
const settingsFrame = 4

/** Why a server cannot be used: a `setting` is wrong, or it is `away` for now. */
export interface Problem {
  kind: 'setting' | 'away'
  /** The problem and, for a setting, its remedy. */
  reason: string
}

/** The problem of all nodes; undefined if one of them accepts connections with these settings. */
export async function probeNodes({ nodes, tls }: EventStoreDbConnection): Promise<Problem | undefined> {
  const found = await Promise.all(nodes.map(async (node) => ({ node, problem: await probe(node, tls) })))
  const problems: Problem[] = []
  for (const { node, problem } of found) {
    if (problem === undefined) return undefined
    const at = `${node.host}:${node.port}`
    const isAway = problem.kind === 'away'
    problems.push({
      ...problem,
      reason: isAway ? `no event store answers at ${at} (${problem.reason})` : `${at}: ${problem.reason}`,
    })
  }
  const settings = problems.filter(({ kind }) => kind === 'setting')
  const shown = settings.length > 0 ? settings : problems
  return { kind: settings.length > 0 ? 'setting' : 'away', reason: shown.map(({ reason }) => reason).join('; ') }
}

async function probe({ host, port }: Node, tls: EventStoreDbConnection['tls']): Promise<Problem | undefined> {
  const options = { host, port, ...(isIP(host) === 0 && { servername: host }), ALPNProtocols: ['h2'] }
  if (tls) return problemOf(await failureOf(openTls({ ...options, ...tls }), 'secureConnect'))
  const failure = await failureOf(openTcp(options), 'connect')
  if (failure) return problemOf(failure)
  if (await answersOtherwise(options)) return { kind: 'setting', reason: 'what answers there is not EventStoreDB' }
  // A TLS handshake succeeds only with a server that has TLS.
  const withTls = await failureOf(openTls({ ...options, rejectUnauthorized: false }), 'secureConnect')
  return withTls ? undefined : { kind: 'setting', reason: 'the server uses TLS; remove tls=false' }
}

/**
 * Whether a server answers the start of an HTTP/2 connection with neither HTTP/2 nor TLS: web servers answer in HTTP/1,
 * other servers in their own protocols.
 */
async function answersOtherwise(address: { host: string; port: number }): Promise<boolean> {
  const socket = openTcp(address, () => socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'))
  const { promise, resolve } = Promise.withResolvers<Buffer | undefined>()
  const noAnswer = () => resolve(undefined)
  socket.once('data', resolve)
  socket.on('error', noAnswer)
  socket.once('close', noAnswer)
  socket.setTimeout(timeoutMs, noAnswer)
  try {
    const answer = await promise
    return answer !== undefined && answer[0] !== tlsAlert && answer[3] !== settingsFrame
  } finally {
    socket.destroy()
  }
}

/** Undefined when the event comes. */
async function failureOf(socket: Socket, event: 'connect' | 'secureConnect'): Promise<Error | undefined> {
  const { promise, resolve } = Promise.withResolvers<Error | undefined>()
  socket.once(event, () => resolve(undefined))
  socket.on('error', resolve)
  socket.once('close', () => resolve(new Error('it closes the connection')))
  socket.setTimeout(timeoutMs, () => resolve(new Error(`no answer within ${timeoutMs / 1_000} s`)))
  try {
    return await promise
  } finally {
    socket.destroy()
  }
}

function problemOf(failure: Error | undefined): Problem | undefined {
  if (failure === undefined) return undefined
  const reason = 'code' in failure ? String(failure.code) : failure.message
  return settingOf(failure.message) ?? { kind: 'away', reason }
}

/** The problem that a message of Node.js or OpenSSL reports about TLS; undefined if it is about something else. */
export function settingOf(message: string): Problem | undefined {
  const known: [RegExp, string][] = [
    [/certificate has expired/i, 'the certificate of the server has expired; renew it'],
    [/certificate is not yet valid/i, 'the certificate of the server is not valid yet; check the clocks'],
    [/altnames|ALTNAME/i, 'the certificate of the server is for another host name; use a name that it contains'],
    [
      /unable to (verify|get)[^;]*certificate|self.signed certificate/i,
      'the certificate of the server is of an unknown CA; set tlsCAFile to the file of that CA',
    ],
    [/wrong version number|packet length too long|EPROTO/i, 'the server does not use TLS; add tls=false'],
    [
      /certificate required|bad certificate|handshake failure/i,
      'the server refuses the client certificate; check userCertFile and userKeyFile',
    ],
  ]
  const reason = known.find(([pattern]) => pattern.test(message))?.[1]
  return reason === undefined ? undefined : { kind: 'setting', reason }
}
