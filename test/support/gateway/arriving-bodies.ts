import { type HostileBody, hostileBodies, type OpenApi } from './hostile-bodies.ts'
import { type HostileForm, hostileForms } from './hostile-forms.ts'

/** A hostile body of a size. */
export interface Arriving {
  /** The body without its size. */
  what: string
  route: string
  port: 'api' | 'gotenberg'
  method: string
  path: string
  type: string
  /** About so many bytes. */
  bytes: number
  body(): string | Buffer
}

const mib = 2 ** 20
/** Parts of the largest JSON body: one with too many values for its size is refused early, and a smaller one is handled. */
const parts = [1, 1 / 2, 1 / 4, 1 / 8, 1 / 16]

export function* arrivingBodies(document: OpenApi): Generator<Arriving> {
  for (const form of hostileForms(document)) yield* ofForm(form)
  for (const body of hostileBodies(document)) yield* ofJson(body)
}

function* ofForm({ what, port, method, path, type, maxBytes, body }: HostileForm): Generator<Arriving> {
  const route = `${method} ${path}`
  for (const bytes of [maxBytes, mib, mib / 16])
    yield { what, route, port, method, path, type, bytes, body: () => body(bytes - 400) }
}

function* ofJson({ what, method, path, type, maxBytes, text }: HostileBody): Generator<Arriving> {
  const route = `${method} ${path}`
  for (const part of parts) {
    const bytes = Math.floor(maxBytes * part)
    yield { what, route, port: 'api', method, path, type, bytes, body: () => text(bytes - 400) }
  }
}
