import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsync } from 'fastify'
import type { ReadRequest } from '../form/read-request.ts'
import { outputName, type Running, runJob } from '../run/run-job.ts'
import type { SourceKind } from './page-source.ts'
import { readConversion, readScreenshot } from './read-job.ts'

export interface ChromiumRoutesOptions {
  running: Running
  read: ReadRequest
  scripts: boolean
}

const kinds: readonly SourceKind[] = ['html', 'url', 'markdown']

/** `POST /forms/chromium/convert/…` and `/screenshot/…`. */
export const chromiumRoutes: FastifyPluginAsync<ChromiumRoutesOptions> = async (app, { running, read, scripts }) => {
  for (const kind of kinds) {
    app.post(`/forms/chromium/convert/${kind}`, async (request, reply) => {
      const rules = { scripts, name: outputName(request) ?? randomUUID() }
      const job = await readConversion(await read(request, reply), kind, rules)
      return runJob(running, job, request, reply)
    })
    app.post(`/forms/chromium/screenshot/${kind}`, async (request, reply) => {
      const rules = { scripts, name: outputName(request) ?? randomUUID() }
      const job = await readScreenshot(await read(request, reply), kind, rules)
      return runJob(running, job, request, reply)
    })
  }
}
