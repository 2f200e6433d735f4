import { AssetLibraries } from '@platen/domain/asset/asset-libraries.ts'
import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import { maxSources, type PdfSource, type ToolBody } from '@platen/domain/generation/tool-requests.ts'
import { fail } from '@platen/domain/http/errors.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import { isJsonObject } from '@platen/foundation/json/is-json-object.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { needsScope } from '../api-keys/authentication.ts'
import { OwnerQuery } from '../api-keys/owner-of.ts'
import {
  type AnswerOptions,
  answerGeneration,
  generationBodyLimit,
  generationHeaders,
  generationResponses,
} from '../generations/answer-generation.ts'
import { callerOf } from '../generations/find-generation.ts'
import { type FormPart, multipartType, readForm } from '../http/bodies/read-form.ts'
import type { Arriving } from '../http/bodies/receive.ts'
import { invalidField } from '../http/errors/field-problems.ts'
import { type BeforeParsing, beforeParsing, readJson } from '../http/plugins/json-parser.ts'
import { checkAgain } from '../http/plugins/validation.ts'
import { resource } from '../http/resource.ts'
import { checkTool } from './check-tool.ts'
import { requireSourceScope, resolveSources } from './resolve-sources.ts'
import { toolExamples } from './tool-examples.ts'
import { type Tool, tools } from './tools.ts'

/** The field with the rest of the request as JSON. */
const requestField = 'request'

interface ToolForm {
  isMerge: boolean
  /** Reads the JSON of the field `request`. */
  readJson: (bytes: Buffer) => Promise<unknown>
}

/** The parts of a form with PDFs, which has at most so many bytes. Throws what `readForm` throws. */
const toolParts = (body: Arriving, contentType: string, maxBytes: number): Promise<FormPart[]> =>
  readForm(body, contentType, { maxBytes, maxParts: maxSources + 2, maxText: maxBytes })

/**
 * The body of a form (RFC 7578): its files are the sources, in order, and its field `request` has the other fields as JSON. Throws
 * what `readJson` throws, and VALIDATION_ERROR.
 */
async function multipartBody(parts: readonly FormPart[], { isMerge, readJson }: ToolForm): Promise<ToolBody> {
  const requests = parts.filter(({ field, fileName }) => fileName === undefined && field === requestField)
  if (requests.length > 1) invalidField(requestField, 'is given more than once')
  const sources: PdfSource[] = []
  let asked: ToolBody = {}
  for (const { field, fileName, bytes } of parts) {
    if (fileName !== undefined) {
      if (sources.length === maxSources) invalidField(field, `is one more file than the ${maxSources} of a request`)
      sources.push({ content_base64: bytes.toString('base64') })
    } else if (field === requestField) asked = requestOf(await readJson(bytes))
    else invalidField(field, `must be a file; other fields are in ${requestField}, as JSON`)
  }
  if ('source' in asked || 'sources' in asked) invalidField(requestField, 'must not have sources: they are the files')
  if (isMerge) return { ...asked, sources }
  const [source] = sources
  if (!source || sources.length > 1) return invalidField('file', `must be one file, not ${sources.length}`)
  return { ...asked, source }
}

function requestOf(value: unknown): ToolBody {
  if (isJsonObject(value)) return value as ToolBody
  return fail('VALIDATION_ERROR', `${requestField} must be a JSON object`, [
    { path: requestField, message: 'must be a JSON object' },
  ])
}

export interface PdfRoutesOptions extends AnswerOptions {
  reader: StreamReader
}

/** Operations on PDFs that exist. Each is a generation. */
export const pdfRoutes = resource<PdfRoutesOptions>('pdf tools', async (app, options) => {
  const sources = { finder: options.finder, libraries: new AssetLibraries(options.reader) }
  app.addContentTypeParser(multipartType, readMultipart)
  for (const tool of tools) addRoute(app, tool, { ...options, sources })
})

type ToolOptions = PdfRoutesOptions & { sources: Parameters<typeof resolveSources>[0] }

function addRoute(app: FastifyInstance, tool: Tool, options: ToolOptions): void {
  const { name, operationId, summary, description, body, plan } = tool
  const schema = {
    tags: ['PDF tools'],
    operationId,
    summary,
    description: [
      description,
      'The result is a generation like that of `POST /v1/generate`, with `operation`. It is answered like it: synchronously, as a file with `Accept`, or with `async`. `output` has steps that are done afterwards.',
    ].join('\n\n'),
    headers: generationHeaders,
    querystring: OwnerQuery,
    body: {
      content: { 'application/json': { schema: { ...body, examples: [toolExamples[name]] } }, [multipartType]: form },
    },
    response: generationResponses('GENERATION_NOT_FOUND', 'FILE_DELETED', 'GENERATION_ERASED'),
  }
  app.post<{ Body: ToolBody }>(`/pdf/${name}`, {
    onRequest: needsScope('generate'),
    bodyLimit: generationBodyLimit,
    schema,
    async handler(request, reply) {
      const asked = request.body
      if (request.mediaType === multipartType) checkAgain(request, body, asked)
      requireSourceScope(request, asked)
      const { operation, output } = checkTool(asked, plan(asked as never))
      const resolve = async () => {
        const tool = { operation, sources: await resolveSources(options.sources, asked, callerOf(request)) }
        return { input: { tool, options: resolvePdfOptions(output && { output }) }, operation: name }
      }
      return answerGeneration(options, { request, reply, resolve })
    },
  })
}

/** A form is checked as the body of JSON that it stands for. It is not in the OpenAPI document. */
const form = { schema: {} }

async function readMultipart(request: FastifyRequest, body: Arriving): Promise<ToolBody> {
  const { headers, routeOptions } = request
  const isMerge = routeOptions.url?.endsWith('/merge') ?? false
  const parts = await toolParts(body, headers['content-type'] ?? '', routeOptions.bodyLimit)
  const size = parts.reduce((sum, { bytes }) => sum + bytes.length, 0)
  // Large bodies are read by turns.
  using reading = await request.getDecorator<BeforeParsing | null>(beforeParsing)?.(size)
  const field = async (bytes: Buffer) => (await readJson(request, bytes, reading)).value
  return multipartBody(parts, { isMerge, readJson: field })
}
