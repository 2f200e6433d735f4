import { readFileSync } from 'node:fs'
import { defined } from '@platen/foundation/json/defined.ts'

const urlPattern = /^(?:esdb|kurrentdb|kurrent|kdb)(\+discover)?:\/\/(?:([^:@/?]+):([^@]+)@)?([^@/?]+)\/?(?:\?(.*))?$/i
const nodePattern = /^([\w.-]+)(?::(\d{1,5}))?$/

/** The schemes of a server's URL. */
export const eventStoreDbScheme = /^(esdb|kurrentdb|kurrent|kdb)(\+discover)?$/i

/**
 * The allowed options. The client prints the whole URL when it meets an unknown option, and with
 * `throwOnAppendFailure=false` a refused append would look like a written one.
 */
const options = [
  'connectionName',
  'discoveryInterval',
  'gossipTimeout',
  'keepAliveInterval',
  'keepAliveTimeout',
  'maxDiscoverAttempts',
  'nodePreference',
  'tls',
  'tlsCAFile',
  'userCertFile',
  'userKeyFile',
]

/**
 * A connection to a server that answers no ping is closed after 6 s. As with the server's own client, `gossipTimeout` is in
 * seconds.
 */
const defaults = {
  connectionName: 'platen',
  keepAliveInterval: '4000',
  keepAliveTimeout: '2000',
  gossipTimeout: '2',
  maxDiscoverAttempts: '10',
  discoveryInterval: '100',
}

export const eventStoreDbForm = 'esdb://<user>:<password>@<host>:2113, or esdb://<host>:2113?tls=false'

export interface Credentials {
  username: string
  password: string
}

/** A server of the URL. */
export interface Node {
  host: string
  port: number
}

export interface EventStoreDbConnection {
  /** The query for the client, without credentials, so that they cannot appear in its output and errors. */
  query: string
  /** Passed with every call. The client does not send them without TLS. */
  credentials: Credentials
  nodes: readonly Node[]
  /** The nodes are asked for the leader of the cluster, and calls go to it. If not, they go to the only node. */
  discovers: boolean
  /** How often the nodes are asked before a call fails, and the pause between. */
  attempts: number
  pauseMs: number
  /** How long one node may take to answer. */
  answerMs: number
  /** Undefined: without TLS. */
  tls: Tls | undefined
}

/** Certificates and keys in PEM. */
export interface Tls {
  ca?: Buffer
  cert?: Buffer
  key?: Buffer
}

/**
 * Parses `esdb://`, `kurrentdb://`, `kurrent://` and `kdb://` URLs, with or without `+discover`. Throws an Error that
 * says what is wrong, without user and password.
 */
export function readEventStoreDbUrl(url: string): EventStoreDbConnection {
  const [, discover = '', user, password, hosts = '', query = ''] = urlPattern.exec(url.trim()) ?? []
  const nodes = hosts.split(',').map(readNode)
  const settings = readSettings(query)
  const insecure = settings.get('tls') === 'false'
  const numberOf = (name: string) => Math.max(1, Number(settings.get(name)))
  return {
    query: [...settings].map(([name, value]) => `${name}=${value}`).join('&'),
    credentials: credentialsFrom(user, password, insecure),
    nodes,
    discovers: discover !== '' || nodes.length > 1,
    attempts: numberOf('maxDiscoverAttempts'),
    pauseMs: numberOf('discoveryInterval'),
    answerMs: numberOf('gossipTimeout') * 1_000,
    tls: insecure ? undefined : readTls(settings),
  }
}

/** The connection string of the client for one node. */
export function connectionStringTo({ host, port }: Node, { query }: Pick<EventStoreDbConnection, 'query'>): string {
  return `esdb://${host}:${port}?${query}`
}

function readNode(text: string): Node {
  const [, host, port = '2113'] = nodePattern.exec(text) ?? []
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) throw wrong(`be ${eventStoreDbForm}`)
  return { host, port: Number(port) }
}

function readSettings(query: string): Map<string, string> {
  const settings = new Map(Object.entries(defaults))
  for (const pair of query.split('&').filter((pair) => pair !== '')) {
    const [key = '', value = ''] = pair.split('=')
    // The documentation of the server writes some of them in another case.
    const name = options.find((option) => option.toLowerCase() === key.toLowerCase())
    if (key.toLowerCase() === 'tlsverifycert' && value !== 'true')
      throw wrong(
        'not switch the check of certificates off: set tlsCAFile to the CA of the server, without tlsVerifyCert',
      )
    if (name === undefined) throw wrong(`set no other options than ${options.join(', ')}`)
    // A follower lags behind the leader, so its reads would miss changes that were acknowledged.
    if (name === 'nodePreference' && value.toLowerCase() !== 'leader')
      throw wrong('have no other nodePreference than leader')
    if (value === '' || (name === 'tls' && !/^(true|false)$/.test(value))) throw wrong(`give a value to ${name}`)
    if (/Interval|Timeout|Attempts/.test(name) && !/^-?\d{1,9}$/.test(value)) throw wrong(`give a number to ${name}`)
    settings.set(name, value)
  }
  return settings
}

function readTls(settings: Map<string, string>): Tls {
  const ca = readPem(settings, 'tlsCAFile')
  const cert = readPem(settings, 'userCertFile')
  const key = readPem(settings, 'userKeyFile')
  if ((cert === undefined) !== (key === undefined)) throw wrong('have both userCertFile and userKeyFile')
  return { ...defined({ ca, cert, key }) }
}

function readPem(settings: Map<string, string>, name: string): Buffer | undefined {
  const value = settings.get(name)
  if (value === undefined) return undefined
  const path = decode(value, name)
  const problem = `name a file in PEM in ${name}`
  try {
    const content = readFileSync(path)
    if (content.includes('-----BEGIN ')) return content
  } catch (err) {
    throw wrong(`${problem}: ${(err as Error).message}`)
  }
  throw wrong(`${problem}: ${path} is none`)
}

/**
 * Credentials for every call: without them the client appends in batches, which ignore the deadline. A server without
 * TLS needs none and the client sends none, so that any values will do.
 */
function credentialsFrom(user: string | undefined, password: string | undefined, insecure: boolean): Credentials {
  if (user !== undefined && password !== undefined) {
    return { username: decode(user), password: decode(password) }
  }
  if (!insecure) throw wrong('name <user>:<password>@ before the host, or end in ?tls=false')
  return { username: 'none', password: 'none' }
}

function decode(text: string, what = 'the user and the password'): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw wrong(`percent-encode ${what}`)
  }
}

function wrong(must: string): Error {
  return new Error(`EVENT_STORE_URL must ${must}`)
}
