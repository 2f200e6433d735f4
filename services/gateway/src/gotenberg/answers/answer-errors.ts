import { type GotenbergAnswer, gotenbergAnswer } from '@platen/domain/generation/gotenberg-answer.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { ClientDisconnected } from '../../http/errors/disconnects.ts'
import { toDomainError } from '../../http/errors/error-response.ts'
import { Refused } from './refused.ts'

/** Answers errors as Gotenberg does: a status and a text, and not with the error envelope of the API. */
export const plainErrors = fp(
  async (app) => {
    app.setErrorHandler((err, request, reply) => sendError(err, request, reply))
    app.setNotFoundHandler((_request, reply) => sendText(reply, { status: 404, message: 'Not Found' }))
  },
  { name: 'errors' },
)

function sendError(err: unknown, request: FastifyRequest, reply: FastifyReply) {
  if (err instanceof ClientDisconnected) return void reply.hijack()
  const answer = answerOf(err)
  if (answer.status >= 500) request.log.warn({ err }, 'request failed')
  if (answer.status === 401) reply.header('www-authenticate', 'Basic realm="Restricted"')
  if (answer.status === 503 || answer.status === 429) reply.header('retry-after', '2')
  return sendText(reply, answer)
}

export function sendText(reply: FastifyReply, { status, message }: GotenbergAnswer) {
  return reply.code(status).header('content-type', 'text/plain; charset=UTF-8').send(message)
}

/** The answer to anything thrown. */
export function answerOf(err: unknown): GotenbergAnswer {
  if (err instanceof Refused) return { status: err.status, message: err.message }
  return gotenbergAnswer(toDomainError(err))
}
