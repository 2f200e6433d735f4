import type { FastifyReply } from 'fastify'

/** Adds the names of request headers that the response depends on. */
export function addVary(reply: FastifyReply, ...names: string[]): void {
  const before = reply.getHeader('vary')
  reply.header('vary', [...(typeof before === 'string' ? [before] : []), ...names].join(', '))
}
