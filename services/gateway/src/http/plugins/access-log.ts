import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

/**
 * Logs one line per request, also if its response is aborted. The query is left out, as it may hold the signature of a
 * file URL, and API keys in the path are replaced.
 */
export const accessLog = fp<{ isApiKey: (text: string) => boolean }>(
  async (app, { isApiKey }) => {
    const log = (request: FastifyRequest, reply: FastifyReply, more: { aborted?: true } = {}) => {
      const { method, url, routeOptions } = request
      const line = {
        method,
        path: shownPath(url, isApiKey),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ...more,
      }
      // Health probes and metrics scrapes arrive every few seconds.
      if (routeOptions.url?.startsWith('/v1/')) request.log.info(line, 'request')
      else request.log.debug(line, 'request')
    }
    app.addHook('onResponse', async (request, reply) => log(request, reply))
    app.addHook('onRequest', async (request, reply) => {
      // Fastify does not call `onResponse` for a response that was not sent to its end.
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished) log(request, reply, { aborted: true })
      })
    })
  },
  { name: 'access-log' },
)

/** The path without the query, which may hold the signature of a file URL, and without API keys. */
export function shownPath(url: string, isApiKey: (text: string) => boolean): string {
  return withoutKeys(url.replace(/\?.*$/s, ''), isApiKey)
}

/** Most paths contain an id, which is shown without a lookup. */
const id = /^(tpl|pdf|key|own)_[0-9a-z]{26}(\.pdf)?$/
/** Shorter texts are not accepted as keys. */
const minKeyLength = 16

function withoutKeys(path: string, isApiKey: (text: string) => boolean): string {
  if (path.length < minKeyLength) return path
  const parts = path.split('/').map((part) => {
    if (part.length < minKeyLength || id.test(part)) return part
    const text = decoded(part)
    return /pk_[0-9A-Za-z]{16}/.test(text) || isApiKey(text) ? '[redacted]' : part
  })
  return parts.join('/')
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
