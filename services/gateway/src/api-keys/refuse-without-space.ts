import { fail } from '@platen/domain/http/errors.ts'
import type { DiskReserve } from '@platen/service-kit/host/disk-reserve.ts'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A POST that stores nothing. */
    needsNoSpace?: boolean
  }
}

const writing = new Set(['POST', 'PUT', 'PATCH'])

/** Refuses requests that create or change something while the disk is short of space. Reading, signing in and deleting go on. */
export const refusalWithoutSpace = fp<{ disk: Pick<DiskReserve, 'shortage'> }>(
  async (app, { disk }) => {
    app.addHook('onRequest', async ({ method, routeOptions }) => {
      if (disk.shortage === undefined || !writing.has(method) || routeOptions.config.needsNoSpace) return
      fail('SERVICE_UNAVAILABLE', 'The server is short of disk space and accepts no new work; retry later')
    })
  },
  { name: 'refusal-without-space', dependencies: ['authentication'] },
)
