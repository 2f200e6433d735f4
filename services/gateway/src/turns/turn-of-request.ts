import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { apiKeyOf } from '../api-keys/authentication.ts'
import { clientDisconnected } from '../http/errors/disconnects.ts'
import { beforeParsing, type Reading } from '../http/plugins/json-parser.ts'
import { patience, type WorkTurns } from './work-turns.ts'

const decorator = 'turn'

/**
 * Every request waits for its turn of the gateway's work: when its body has arrived and before it is parsed, so that a slow
 * upload holds no turn. The turn ends with the answer, or when the handler begins to wait for others.
 */
export const turnOfRequest = fp<{ turns: WorkTurns }>(
  async (app, { turns }) => {
    app.decorateRequest(decorator, null)
    const take = async (request: FastifyRequest, reply: FastifyReply) => {
      if (request.getDecorator<Disposable | null>(decorator)) return
      const { id: apiKeyId, ownerId } = apiKeyOf(request)
      const disconnected = clientDisconnected(reply)
      const turn = await turns.take({ ownerId, apiKeyId, disconnected })
      request.setDecorator(decorator, turn)
      disconnected.addEventListener('abort', () => endTurn(request), { once: true })
      if (disconnected.aborted) endTurn(request)
    }
    app.addHook('onRequest', async (request, reply) => {
      request.setDecorator(beforeParsing, async (bytes: number): Promise<Reading> => {
        const { id: key, ownerId: owner } = apiKeyOf(request)
        using held = new DisposableStack()
        held.use(turns.hold(owner, bytes))
        await take(request, reply)
        const ended = held.move()
        return {
          caller: { owner, key },
          patience: { signal: clientDisconnected(reply), limit: patience },
          [Symbol.dispose]: () => ended.dispose(),
        }
      })
    })
    app.addHook('preValidation', (request, reply) => take(request, reply))
    app.addHook('onSend', async (request) => endTurn(request))
  },
  { name: 'turn', dependencies: ['authentication', 'owner', 'json-body'] },
)

/** To be called before a handler waits for something that is not the gateway's work. */
export function endTurn(request: FastifyRequest): void {
  request.getDecorator<Disposable | null>(decorator)?.[Symbol.dispose]()
  request.setDecorator(decorator, ended)
}

const ended: Disposable = { [Symbol.dispose]: () => {} }
