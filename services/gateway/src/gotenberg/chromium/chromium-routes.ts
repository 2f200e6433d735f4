import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { apiKeyOf } from '../../api-keys/authentication.ts'
import { clientDisconnected } from '../../http/errors/disconnects.ts'
import type { ReadRequest } from '../form/read-request.ts'
import { outputName, type Running, runJob } from '../run/run-job.ts'
import type { Markdown } from './markdown.ts'
import type { SourceKind } from './page-source.ts'
import { type JobRules, readConversion, readScreenshot } from './read-job.ts'

export interface ChromiumRoutesOptions {
  running: Running
  read: ReadRequest
  scripts: boolean
  markdown: Markdown
}

const kinds: readonly SourceKind[] = ['html', 'url', 'markdown']
const pathsOf = (kind: SourceKind) => ({
  convert: `/forms/chromium/convert/${kind}`,
  screenshot: `/forms/chromium/screenshot/${kind}`,
})

export const chromiumPaths: readonly string[] = kinds.flatMap((kind) => Object.values(pathsOf(kind)))

/** `POST /forms/chromium/convert/…` and `/screenshot/…`. */
export const chromiumRoutes: FastifyPluginAsync<ChromiumRoutesOptions> = async (
  app,
  { running, read, scripts, markdown },
) => {
  const rulesFor = (request: FastifyRequest, reply: FastifyReply): JobRules => {
    const { id: key, ownerId: owner } = apiKeyOf(request)
    const convert = (texts: string[]) => markdown.convert({ owner, key }, texts, clientDisconnected(reply))
    return { scripts, name: outputName(request) ?? randomUUID(), convert }
  }
  for (const kind of kinds) {
    const { convert, screenshot } = pathsOf(kind)
    app.post(convert, async (request, reply) => {
      const job = await readConversion(await read(request, reply), kind, rulesFor(request, reply))
      return runJob(running, job, request, reply)
    })
    app.post(screenshot, async (request, reply) => {
      const job = await readScreenshot(await read(request, reply), kind, rulesFor(request, reply))
      return runJob(running, job, request, reply)
    })
  }
}
