import type { FastifyPluginAsync } from 'fastify'
import type { ReadRequest } from '../form/read-request.ts'
import { type Running, runJob } from '../run/run-job.ts'
import {
  type ReadPdfJob,
  readBookmarksWrite,
  readConvert,
  readDescription,
  readDrawing,
  readEmbed,
  readEncrypt,
  readFlatten,
  readMerge,
  readMetadataWrite,
  readOptimize,
  readRotate,
  readSplitJob,
} from './read-pdf-job.ts'

export interface PdfRoutesOptions {
  running: Running
  read: ReadRequest
}

const routes: Record<string, ReadPdfJob> = {
  merge: readMerge,
  split: readSplitJob,
  flatten: readFlatten,
  optimize: readOptimize,
  rotate: readRotate,
  encrypt: readEncrypt,
  convert: readConvert,
  embed: readEmbed,
  stamp: readDrawing('stamp'),
  watermark: readDrawing('watermark'),
  'metadata/read': readDescription('information'),
  'metadata/write': readMetadataWrite,
  'bookmarks/read': readDescription('bookmarks'),
  'bookmarks/write': readBookmarksWrite,
}

const pathOf = (name: string) => `/forms/pdfengines/${name}`

export const pdfPaths: readonly string[] = Object.keys(routes).map(pathOf)

/** `POST /forms/pdfengines/…`. */
export const pdfRoutes: FastifyPluginAsync<PdfRoutesOptions> = async (app, { running, read }) => {
  for (const [name, readJob] of Object.entries(routes)) {
    app.post(pathOf(name), async (request, reply) => {
      return runJob(running, readJob(await read(request, reply)), request, reply)
    })
  }
}
