import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { apiKeyOf } from '../../api-keys/authentication.ts'
import { whenOver } from '../../http/bodies/receive.ts'
import { clientDisconnected } from '../../http/errors/disconnects.ts'
import { type FormPlaces, type FormSize, smallFormBytes } from './form-places.ts'

const decorator = 'form-places'

/** What a request holds. */
interface Held {
  places: DisposableStack
  hasLarge: boolean
}

/** Each form has a place from its arrival until `releaseForm`, and until the answer, and the end of its body, at the latest. */
export const holdForms = fp<{ places: FormPlaces }>(
  async (app, { places }) => {
    app.decorateRequest(decorator, null)
    app.addHook('preParsing', async (request, reply) => {
      const held: Held = { places: new DisposableStack(), hasLarge: false }
      request.setDecorator(decorator, held)
      clientDisconnected(reply).addEventListener('abort', () => releaseForm(request), { once: true })
      await takePlace(places, request, reply, sizeOf(request.headers))
    })
    // The rest of a form that was refused counts, too.
    app.addHook('onSend', async (request) => whenOver(request.raw, () => releaseForm(request)))
  },
  { name: 'form-places', dependencies: ['authentication', 'owner'] },
)

/** Waits for a place of a large form, unless the request has one. To be called before a small form gets larger. */
export async function holdLargeForm(places: FormPlaces, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (!heldBy(request)?.hasLarge) await takePlace(places, request, reply, 'large')
}

/** To be called when nothing refers to the content of the form any more. */
export function releaseForm(request: FastifyRequest): void {
  heldBy(request)?.places.dispose()
}

async function takePlace(places: FormPlaces, request: FastifyRequest, reply: FastifyReply, size: FormSize) {
  const held = heldBy(request)
  const { id: apiKeyId, ownerId } = apiKeyOf(request)
  const place = await places.take({ ownerId, apiKeyId, disconnected: clientDisconnected(reply) }, size)
  if (held === null || held.places.disposed) return place[Symbol.dispose]()
  held.places.use(place)
  held.hasLarge = size === 'large'
}

const heldBy = (request: FastifyRequest) => request.getDecorator<Held | null>(decorator)

function sizeOf(headers: IncomingHttpHeaders): FormSize {
  const length = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity
  return length > smallFormBytes ? 'large' : 'small'
}
