import { isIP } from 'node:net'
import { type Sender, sendingPage } from '../api-keys/same-origin.ts'
import { refuse } from './answers/refused.ts'

/** `key`: Basic or Bearer with an API key. `none`: requests without credentials are made with the key of `API_KEY`. */
export type GotenbergAuth = 'key' | 'none'

export interface Authorization {
  auth: GotenbergAuth
  /** The key of requests without credentials, if they are allowed. */
  apiKey: string | undefined
  /** Names of this server with a dot, under which requests without credentials may reach it. In lower case. */
  hosts: readonly string[]
}

const unexpectedHost =
  'Forbidden: without an API key, the host must be an IP address, a name without a dot, or in GOTENBERG_HOSTS'

/**
 * Turns the credentials of a client into the header that the API knows. Gotenberg has a user name and a password of its own;
 * here the API key is one of the two. Answers 403 where a page of another site would use the key of requests without credentials.
 */
export function setBearer(request: Sender, { auth, apiKey, hosts }: Authorization): void {
  const { headers } = request
  const [, basic] = /^Basic +([\w+/=-]+) *$/i.exec(headers.authorization ?? '') ?? []
  if (basic !== undefined) {
    const text = Buffer.from(basic, 'base64').toString('latin1')
    const colon = text.indexOf(':')
    const [user, password] = colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)]
    const key = /^[\x21-\x7e]{16,}$/.test(password) ? password : user
    headers.authorization = `Bearer ${key}`
  }
  if (auth === 'none' && headers.authorization === undefined && apiKey !== undefined) {
    if (sendingPage(request) === 'foreign') refuse(403, 'Forbidden: a page of another site needs an API key')
    // A page may send X-Forwarded-Host to its own name: both are looked at.
    for (const host of [headers.host ?? '', request.host]) {
      if (!isExpected(host, hosts)) refuse(403, unexpectedHost)
    }
    headers.authorization = `Bearer ${apiKey}`
  }
}

/**
 * Whether the host of a request can be this server's. A page of another site that has its own name resolved to this address (DNS
 * rebinding) is of the same origin for the browser: only the name tells it apart. Such a name has a dot.
 */
function isExpected(host: string, hosts: readonly string[]): boolean {
  const name = host.toLowerCase().replace(/:\d*$/, '')
  return !name.includes('.') || isIP(name) !== 0 || name.endsWith('.localhost') || hosts.includes(name)
}
