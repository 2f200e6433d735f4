import { readFileSync } from 'node:fs'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { defined } from '@platen/foundation/json/defined.ts'
import { flag, optionalText, requiredText, type TextForm, type ValuesOf } from '@platen/foundation/settings/setting.ts'
import { type Authenticator, type ConnectionOptions, credsAuthenticator, type TlsOptions } from 'nats'

const server = String.raw`(\[[\da-fA-F:.]+\]|[\w.-]+)(:\d{1,5})?/?`

/** A URL with a login is refused: the login has settings of its own. */
const natsUrlForm: TextForm = {
  pattern: new RegExp(`^(nats|tls)://${server}(,((nats|tls)://)?${server})*$`),
  hint: 'nats://host:port or tls://host:port, or several separated by commas; a login is given in NATS_USER and NATS_PASSWORD',
  right: ['nats://127.0.0.1:4222', 'tls://a,tls://b:4222', 'nats://[::1]:4222'],
  wrong: [
    ...['127.0.0.1:4222', 'http://a', 'ws://a', 'nats://u:p@a', 'nats://a/x', 'nats://a:port', 'nats://a;nats://b'],
    '"nats://a"',
  ],
}

export const natsSettings = {
  url: requiredText('NATS_URL', {
    form: natsUrlForm,
    secret: true,
    meaning: 'a NATS server with JetStream: `nats://host:4222`, or several separated by commas. `tls://…` uses TLS',
    setFirst: 'a `nats-server` child process',
  }),
  user: optionalText('NATS_USER', { meaning: 'the user for NATS' }),
  password: optionalText('NATS_PASSWORD', {
    secret: true,
    meaning: 'the password of `NATS_USER`; without `NATS_USER`, a token',
  }),
  /** The file is read again at each connection. */
  credsFile: optionalText('NATS_CREDS', {
    meaning: 'path of a credentials file (a JWT and its NKEY seed), which is read at each connection',
  }),
  certFile: optionalText('NATS_CERT', {
    meaning: 'path of a client certificate (PEM), for servers that verify clients',
  }),
  keyFile: optionalText('NATS_KEY', { meaning: 'path of the key of `NATS_CERT`' }),
  manageStreams: flag('NATS_MANAGE_STREAMS', {
    default: true,
    meaning: '`false` if the account may not create streams, see [Streams](../operate/processes.md#streams)',
  }),
}

/** The address of NATS, and the login: a user with a password, a token, or a credentials file. */
export type NatsConfig = Pick<ValuesOf<typeof natsSettings>, 'url'> &
  Partial<ValuesOf<typeof natsSettings>> & {
    token?: string | undefined
    /** What the subjects of answers begin with. Default: `_INBOX`. */
    inboxPrefix?: string | undefined
  }

/** The part of the client's options that says where to connect, and as whom. Throws if the credentials file cannot be read. */
export function serverAndLogin(config: NatsConfig): ConnectionOptions {
  const { user, password, token, credsFile, inboxPrefix } = config
  const tls = tlsOptions(config)
  return {
    servers: serversOf(config),
    ...defined({ user, pass: password, token }),
    ...(credsFile !== undefined && { authenticator: credsFileAuthenticator(credsFile) }),
    ...defined({ tls, inboxPrefix }),
  }
}

/** `host:port` of each server. */
export function serversOf({ url }: Pick<NatsConfig, 'url'>): string[] {
  return url.split(',').map((server) => server.replace(/^(nats|tls):\/\//, '').replace(/\/$/, ''))
}

/** Reads the file at each login. While a new file is not readable as a whole, the one before is used. */
function credsFileAuthenticator(path: string): Authenticator {
  let valid = readFileSync(path)
  return (nonce) => {
    try {
      const current = readFileSync(path)
      const login = credsAuthenticator(current)(nonce)
      valid = current
      return login
    } catch {
      // The client would close the connection for ever.
      return credsAuthenticator(valid)(nonce)
    }
  }
}

function tlsOptions(config: NatsConfig): TlsOptions | undefined {
  const { url, certFile, keyFile } = config
  if (certFile === undefined && !url.startsWith('tls:')) return undefined
  const options = {
    ...defined({ certFile, keyFile }),
    checkServerIdentity: identityCheck(serversOf(config).map(hostOf)),
  }
  // The client passes all of these to Node, but its type lists some of them only.
  return options as TlsOptions
}

/** The client names no host for a server with an IP address, and Node then expects a certificate for `localhost`. */
function identityCheck(hosts: readonly string[]) {
  return (host: string, certificate: PeerCertificate): Error | undefined => {
    const refusal = checkServerIdentity(host, certificate)
    if (!refusal || host !== 'localhost' || hosts.includes(host)) return refusal
    const refusals = hosts.map((address) => checkServerIdentity(address, certificate))
    return refusals.every(Boolean) ? refusals[0] : undefined
  }
}

function hostOf(server: string): string {
  return server.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
}
