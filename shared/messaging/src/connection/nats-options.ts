import { readFileSync } from 'node:fs'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { type Authenticator, type ConnectionOptions, credsAuthenticator, type TlsOptions } from 'nats'

/** `url` is one server or a list such as `nats://a:4222,nats://b:4222`. `tls://` requires TLS. */
export interface NatsConfig {
  url: string
  user?: string | undefined
  password?: string | undefined
  token?: string | undefined
  /** Path of a credentials file (a JWT and its NKEY seed). It is read again at each connection. */
  credsFile?: string | undefined
  /** Path of a CA certificate (PEM) to trust instead of the system's. */
  caFile?: string | undefined
  /** Paths of a client certificate (PEM) and its key, for servers that verify clients. */
  certFile?: string | undefined
  keyFile?: string | undefined
  /** Whether the account may create streams, consumers and buckets. Default: true. */
  manageStreams?: boolean
}

const server = String.raw`(\[[\da-fA-F:.]+\]|[\w.-]+)(:\d{1,5})?/?`

/** What `NATS_URL` may be. A login is given in other settings. */
export const natsUrl = {
  pattern: new RegExp(`^(nats|tls)://${server}(,((nats|tls)://)?${server})*$`),
  hint: 'nats://host:port or tls://host:port, or several separated by commas; a login is given in NATS_USER and NATS_PASSWORD',
}

/** The part of the client's options that says where to connect, and as whom. Throws if the credentials file cannot be read. */
export function serverAndLogin(config: NatsConfig): ConnectionOptions {
  const { user, password, token, credsFile } = config
  const tls = tlsOptions(config)
  return {
    servers: serversOf(config),
    ...(user !== undefined && { user }),
    ...(password !== undefined && { pass: password }),
    ...(token !== undefined && { token }),
    ...(credsFile !== undefined && { authenticator: credsFileAuthenticator(credsFile) }),
    ...(tls && { tls }),
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
  const { url, caFile, certFile, keyFile } = config
  if (caFile === undefined && certFile === undefined && !url.startsWith('tls:')) return undefined
  const options = {
    ...(caFile !== undefined && { caFile }),
    ...(certFile !== undefined && { certFile }),
    ...(keyFile !== undefined && { keyFile }),
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
