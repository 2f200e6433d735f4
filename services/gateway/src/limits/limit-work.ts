import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { apiKeyOf } from '../api-keys/authentication.ts'
import { whenOver } from '../http/bodies/receive.ts'
import { clientDisconnected } from '../http/errors/disconnects.ts'
import { beforeParsing, largeBytes, type Reading } from '../http/plugins/json-parser.ts'
import { patience, type WorkRequest } from './patience.ts'
import type { WorkLimiter } from './work-limiter.ts'

const decorator = 'work-slot'

/** The slots and places that a request holds. */
interface Held {
  /** Held for its body, while that arrives and waits. */
  place?: Disposable
  slot?: Disposable
  hasEnded: boolean
}

/**
 * Every request takes a slot after its body has arrived and before it is parsed, so that a slow upload holds no slot.
 * The slot is released with the answer, or when the handler begins to wait for another service. A large body waits for
 * a place first, and keeps it until the slot is released.
 */
export const limitWork = fp<{ limiter: WorkLimiter }>(
  async (app, { limiter }) => {
    app.decorateRequest(decorator, null)
    const take = async (request: FastifyRequest, reply: FastifyReply) => {
      const held = heldBy(request)
      if (held.slot) return
      const slot = await limiter.take(workOf(request, reply))
      held.slot = slot
      if (held.hasEnded) slot[Symbol.dispose]()
    }
    app.addHook('onRequest', async (request, reply) => {
      const held: Held = { hasEnded: false }
      request.setDecorator(decorator, held)
      request.setDecorator(beforeParsing, async (bytes: number): Promise<Reading> => {
        const { apiKeyId: key, ownerId: owner, disconnected: signal } = workOf(request, reply)
        using beforeSlot = new DisposableStack()
        beforeSlot.use(limiter.hold(owner, bytes))
        await take(request, reply)
        const ended = beforeSlot.move()
        return {
          caller: { owner, key },
          patience: { signal, limit: patience },
          [Symbol.dispose]: () => ended.dispose(),
        }
      })
      clientDisconnected(reply).addEventListener('abort', () => releaseSlot(request), { once: true })
      if (!isLarge(request.headers)) return
      const place = await limiter.takePlace(workOf(request, reply))
      held.place = place
      if (held.hasEnded) place[Symbol.dispose]()
    })
    app.addHook('preValidation', (request, reply) => take(request, reply))
    app.addHook('onSend', async (request) => {
      const { slot, place } = endOf(request)
      slot?.[Symbol.dispose]()
      // The rest of a body that was refused counts, too.
      if (place) whenOver(request.raw, () => place[Symbol.dispose]())
    })
  },
  { name: 'work-slot', dependencies: ['authentication', 'owner', 'json-body'] },
)

/** To be called before a handler waits for something that is not the gateway's work. */
export function releaseSlot(request: FastifyRequest): void {
  const { slot, place } = endOf(request)
  slot?.[Symbol.dispose]()
  place?.[Symbol.dispose]()
}

function endOf(request: FastifyRequest): Held {
  const held = heldBy(request)
  held.hasEnded = true
  return held
}

function heldBy(request: FastifyRequest): Held {
  return request.getDecorator<Held | null>(decorator) ?? { hasEnded: true }
}

function workOf(request: FastifyRequest, reply: FastifyReply): WorkRequest {
  const { id: apiKeyId, ownerId } = apiKeyOf(request)
  return { ownerId, apiKeyId, disconnected: clientDisconnected(reply) }
}

/** Whether the body of a request is large. One of unknown length may be. */
function isLarge(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > largeBytes
}
