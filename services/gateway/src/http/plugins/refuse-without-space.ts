import { fail } from '@platen/domain/http/errors.ts'
import type { DiskReserve } from '@platen/service-kit/host/disk-reserve.ts'
import type { FastifyInstance } from 'fastify'

const writing = new Set(['POST', 'PUT', 'PATCH'])

/** Refuses requests that create or change something while the disk is short of space. Reading and deleting go on. */
export function addRefusalWithoutSpace(app: FastifyInstance, disk: Pick<DiskReserve, 'shortage'>): void {
  app.addHook('onRequest', async ({ method }) => {
    if (disk.shortage === undefined || !writing.has(method)) return
    fail('SERVICE_UNAVAILABLE', 'The server is short of disk space and accepts no new work; retry later')
  })
}
