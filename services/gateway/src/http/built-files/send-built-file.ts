import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { encodedTag, entityTag, isNoneMatch } from '../headers/entity-tags.ts'
import { addVary } from '../headers/response-headers.ts'
import type { BuiltFile, Coding } from './built-files.ts'

/** Sends a file, or a 304 to a client that has it. Browsers cache a file with a hash in its name for ever. */
export async function sendBuiltFile(file: BuiltFile, request: FastifyRequest, reply: FastifyReply) {
  reply.headers({
    etag: entityTag(file.tag),
    'cache-control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
  })
  if (isNoneMatch(request.headers['if-none-match'], file.tag)) {
    const coding = codingOf(file, request, reply)
    // That of the response which the client has (RFC 9110, section 15.4.5).
    if (coding !== undefined) reply.header('etag', encodedTag(entityTag(file.tag), coding))
    return reply.code(304).send()
  }
  return reply.type(file.type).send(await encoded(file, request, reply))
}

/** The content in the coding that the client prefers. The compression plugin sends it as it is, and changes the entity tag. */
export function encoded(file: BuiltFile, request: FastifyRequest, reply: FastifyReply): Promise<Buffer> {
  const coding = codingOf(file, request, reply)
  if (coding !== undefined) reply.header('content-encoding', coding)
  return file.content(coding)
}

function codingOf(file: BuiltFile, request: FastifyRequest, reply: FastifyReply): Coding | undefined {
  if (!file.isCompressed) return undefined
  addVary(reply, 'accept-encoding')
  return negotiate<Coding>(request.headers['accept-encoding'] ?? '', ['br', 'gzip']) ?? undefined
}
