import { pipeline, Readable, Transform } from 'node:stream'
import fp from 'fastify-plugin'

/**
 * Ends a streamed response with its last byte. A client may close the connection as soon as it has the bytes that content-length
 * announces, and a stream of a store ends a moment later: that download would be logged, counted and traced as broken off.
 */
export const streamEnds = fp(
  async (app) => {
    app.addHook('onSend', async (_request, reply, payload) => {
      const length = Number(reply.getHeader('content-length'))
      return payload instanceof Readable && length > 0 ? endingAfter(payload, length) : payload
    })
  },
  { name: 'stream-ends' },
)

function endingAfter(source: Readable, length: number): Readable {
  let left = length
  const body = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      left -= chunk.byteLength
      this.push(chunk)
      if (left <= 0) this.push(null)
      done()
    },
  })
  // The callback is not needed, because an error of one stream is also one of the other.
  return pipeline(source, body, () => {})
}
