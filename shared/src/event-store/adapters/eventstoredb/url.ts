const urlPattern = /^(?:esdb|kurrentdb)(\+discover)?:\/\/(?:([^:@/?]+):([^@]+)@)?([^@/?]+)\/?(?:\?(.*))?$/i
const host = /^[\w.-]+(:\d{1,5})?$/

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

export const eventStoreDbForm = 'esdb://<user>:<password>@<host>:2113, or esdb://<host>:2113?tls=false'

export interface Credentials {
  username: string
  password: string
}

export interface EventStoreDbConnection {
  /** For the client, without the credentials, so that they cannot appear in its output and errors. */
  connectionString: string
  /** Passed with every call. The client does not send them without TLS. */
  credentials: Credentials
}

/**
 * Parses `esdb://` and `kurrentdb://` URLs, with or without `+discover`.
 * Throws an Error that says what is wrong, without the user and the password.
 */
export function readEventStoreDbUrl(url: string): EventStoreDbConnection {
  const [, discover = '', user, password, hosts = '', query = ''] = urlPattern.exec(url.trim()) ?? []
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
    // A follower lags behind the leader, so its reads would miss changes that were acknowledged.
    if (key === 'nodePreference' && value.toLowerCase() !== 'leader')
      throw wrong('have no other nodePreference than leader')
    if (value === '' || (key === 'tls' && !/^(true|false)$/.test(value))) throw wrong(`give a value to ${key}`)
  }
  const isNamed = settings.some((pair) => pair.startsWith('connectionName='))
  return isNamed ? settings : ['connectionName=platen', ...settings]
}

/**
 * Without credentials the client appends in batches, which ignore the deadline. A server without TLS needs none and the
 * client sends none, so any values will do.
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
