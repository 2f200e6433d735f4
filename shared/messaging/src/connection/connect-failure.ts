import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { hasCertificates } from '@platen/foundation/net/certificates.ts'
import { ErrorCode, NatsError } from 'nats'
import type { NatsConfig } from './nats-options.ts'

/** Why a connection could not be opened, and what to do. It contains no password. */
export function connectFailure(config: NatsConfig, err: unknown): string {
  const servers = shownUrl(config)
  const code = err instanceof NatsError ? err.code : (err as NodeJS.ErrnoException).code
  const message = err instanceof Error ? err.message : String(err)
  const loginRefused: string[] = [
    ErrorCode.AuthorizationViolation,
    ErrorCode.AuthenticationExpired,
    ErrorCode.AccountExpired,
  ]
  if (loginRefused.includes(code ?? '')) return `${loginOf(config)}: the NATS server at ${servers} refuses the login`
  const wrongFile = fileProblem(config)
  if (wrongFile !== undefined) return wrongFile
  if (code === ErrorCode.BadCreds) return `NATS_CREDS: ${config.credsFile} has no JWT and NKEY seed`
  if (code === ErrorCode.ServerOptionNotAvailable)
    return `NATS_URL: the NATS server at ${servers} has no TLS; use nats://`
  if (/self.signed|unable to (verify|get)|UNABLE_TO|SELF_SIGNED/.test(`${code} ${message}`)) {
    return `NATS_URL: the certificate of the NATS server at ${servers} is not trusted; set NODE_EXTRA_CA_CERTS to that of its CA`
  }
  if (/certificate has expired|altnames|ERR_TLS_CERT/.test(`${code} ${message}`))
    return `NATS_URL: the certificate of the NATS server at ${servers} is not valid`
  if (code === ErrorCode.Timeout) {
    // A server that refuses a client certificate does not say so.
    const hint =
      config.certFile === undefined
        ? 'if it requires a client certificate, set NATS_CERT and NATS_KEY'
        : 'or does not trust the CA of NATS_CERT'
    return `NATS_URL: the NATS server at ${servers} does not answer; ${hint}`
  }
  return `NATS_URL: no NATS server answers at ${servers}`
}

/** Why JetStream of a connected server cannot be used. `passes` says whether waiting can help. */
export function jetStreamFailure(config: NatsConfig, err: unknown): { reason: string; passes: boolean } {
  const servers = shownUrl(config)
  const { code, api_error } = err instanceof NatsError ? err : {}
  if (code === ErrorCode.PermissionsViolation)
    return {
      reason: `${loginOf(config)}: this user may not use JetStream at the NATS server ${servers}`,
      passes: false,
    }
  if (code === ErrorCode.Timeout || api_error?.err_code === leaderless)
    return {
      reason: `NATS_URL: JetStream of the NATS server ${servers} does not answer: no quorum, or a slow disk`,
      passes: true,
    }
  return {
    reason: `NATS_URL: JetStream is off, or not on for this account, at the NATS server ${servers}`,
    passes: false,
  }
}

/** The error code of JetStream in a cluster that has no leader. */
const leaderless = 10_008

/** The settings that the login came from, and whether their credentials have expired. */
export function loginOf({ user, token, credsFile }: NatsConfig): string {
  if (credsFile !== undefined) {
    const expired = expiryOf(credsFile)
    return expired ? `NATS_CREDS: ${credsFile} has expired (${expired.toISOString()})` : `NATS_CREDS (${credsFile})`
  }
  if (token !== undefined) return 'NATS_PASSWORD (a token, as NATS_USER is not set)'
  return user === undefined ? 'NATS_USER and NATS_PASSWORD are not set' : `NATS_USER (${user}) and NATS_PASSWORD`
}

/** When the user's JWT has expired; undefined if it has not, or cannot be read. */
function expiryOf(credsFile: string): Date | undefined {
  try {
    const [, payload = ''] =
      /-----BEGIN NATS USER JWT-----\s+[\w-]+\.([\w-]+)\./.exec(readFileSync(credsFile, 'utf8')) ?? []
    const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { exp?: number }
    return exp !== undefined && exp * 1_000 < Date.now() ? new Date(exp * 1_000) : undefined
  } catch {
    return undefined
  }
}

function fileProblem({ certFile, keyFile, credsFile }: NatsConfig): string | undefined {
  const files = { NATS_CERT: certFile, NATS_KEY: keyFile, NATS_CREDS: credsFile }
  const texts = new Map<string, string>()
  for (const [name, path] of Object.entries(files)) {
    if (path === undefined) continue
    try {
      texts.set(name, readFileSync(path, 'utf8'))
    } catch {
      return `${name}: the file ${path} cannot be read`
    }
  }
  if (certFile !== undefined && !hasCertificates(texts.get('NATS_CERT') ?? ''))
    return `NATS_CERT: ${certFile} has no certificate in PEM, or a damaged one`
  return pairProblem(texts.get('NATS_CERT'), texts.get('NATS_KEY'))
}

function pairProblem(cert: string | undefined, key: string | undefined): string | undefined {
  if (cert === undefined || key === undefined) return undefined
  try {
    createSecureContext({ cert, key })
    return undefined
  } catch {
    return 'NATS_KEY: the file is not the key, in PEM and without a passphrase, of the certificate of NATS_CERT'
  }
}

/** The URL of the servers as it was given, without a login. */
export function shownUrl({ url }: Pick<NatsConfig, 'url'>): string {
  return url.replace(/\/\/[^@/]*@/g, '//')
}
