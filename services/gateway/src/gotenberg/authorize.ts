import type { FastifyRequest } from 'fastify'
import { refuse } from './answers/refused.ts'

/** `key`: Basic or Bearer with an API key. `none`: requests without credentials are made with the key of `API_KEY`. */
export type GotenbergAuth = 'key' | 'none'

/**
 * Turns the credentials of a client into the header that the API knows. Gotenberg has a user name and a password of its own;
 * here the API key is one of the two. Answers 403 where a page of another site would use the key of requests without credentials.
 */
export function setBearer(
  { headers }: Pick<FastifyRequest, 'headers'>,
  auth: GotenbergAuth,
  ownKey: string | undefined,
): void {
  const [, basic] = /^Basic +([\w+/=-]+) *$/i.exec(headers.authorization ?? '') ?? []
  if (basic !== undefined) {
    const text = Buffer.from(basic, 'base64').toString('latin1')
    const colon = text.indexOf(':')
    const [user, password] = colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)]
    const key = /^[\x21-\x7e]{16,}$/.test(password) ? password : user
    headers.authorization = `Bearer ${key}`
  }
  if (auth === 'none' && headers.authorization === undefined && ownKey !== undefined) {
    if (headers['sec-fetch-site'] === 'cross-site') refuse(403, 'Forbidden')
    headers.authorization = `Bearer ${ownKey}`
  }
}
