/** The client has no other default port. */
const address = /^(?:esdb|kurrentdb)(\+discover)?:\/\/(?:([^:@/?]+):([^@]+)@)?([^@/?]+)\/?(?:\?(.*))?$/i
const host = /^[\w.-]+(:\d{1,5})?$/

/**
 * What an address may set. The client prints the whole address when it meets an option that it does not know, and
 * `throwOnAppendFailure=false` would let a refused append pass for a written one.
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

export const eventStoreDbForm = 'esdb://<user>:<password>@<host>:2113, or esdb://<host>:2113?tls=false'

export interface Credentials {
  username: string
  password: string
}

export interface EventStoreDbAddress {
  /** For the client, without the credentials: what it prints or throws cannot hold them. */
  connectionString: string
  /** For every call. Never sent to a node without TLS. */
  credentials: Credentials
}

/**
 * Reads `esdb://` and `kurrentdb://` addresses, with or without `+discover`.
 * Throws an Error that names what is wrong, without the user's name or password.
 */
export function readEventStoreDbUrl(url: string): EventStoreDbAddress {
  const [, discover = '', user, password, hosts = '', query = ''] = address.exec(url.trim()) ?? []
  if (hosts === '' || !hosts.split(',').every((one) => host.test(one))) throw wrong(`be ${eventStoreDbForm}`)
  const settings = readSettings(query)
  return {
    connectionString: `esdb${discover.toLowerCase()}://${hosts}?${settings.join('&')}`,
    credentials: credentialsFrom(user, password, settings.includes('tls=false')),
  }
}

function readSettings(query: string): string[] {
  const settings = query.split('&').filter((pair) => pair !== '')
  for (const pair of settings) {
    const [key = '', value = ''] = pair.split('=')
    if (!options.includes(key)) throw wrong(`set no other options than ${options.join(', ')}`)
    if (value === '' || (key === 'tls' && !/^(true|false)$/.test(value))) throw wrong(`give a value to ${key}`)
  }
  const isNamed = settings.some((pair) => pair.startsWith('connectionName='))
  return isNamed ? settings : ['connectionName=platen', ...settings]
}

/**
 * The client needs some on each append: without them it writes in batches, whose deadline does not hold.
 * A node without TLS asks for none, and the client sends it none.
 */
function credentialsFrom(user: string | undefined, password: string | undefined, insecure: boolean): Credentials {
  if (user !== undefined && password !== undefined) {
    return { username: decode(user), password: decode(password) }
  }
  if (!insecure) throw wrong('name <user>:<password>@ before the host, or end in ?tls=false')
  return { username: 'none', password: 'none' }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw wrong('percent-encode the user and the password')
  }
}

function wrong(must: string): Error {
  return new Error(`EVENT_STORE_URL must ${must}`)
}
