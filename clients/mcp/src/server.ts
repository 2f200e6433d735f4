import { readFileSync } from 'node:fs'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { type Platen, PlatenError, unwrap } from '@platen/client'
import { z } from 'zod'

const data = z.record(z.string(), z.json()).optional().describe('The data of the template, as its data_schema says')
const options = z
  .record(z.string(), z.json())
  .optional()
  .describe(
    'Options of the document, such as {"format": "A5", "landscape": true, "margin": {"top": 30}} in millimetres',
  )
const source = {
  template: z.string().optional().describe('Slug or id of a stored template. Either this or html'),
  html: z.string().optional().describe('A Handlebars template, if there is no stored one'),
  data,
  options,
}

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/** The tools of Platen, with the rights of the API key and no others. */
export function buildServer(platen: Platen): McpServer {
  const server = new McpServer({ name: 'platen', version })
  const { api } = platen

  server.registerTool(
    'list_templates',
    {
      description: 'Lists the stored templates, newest first: slug, name and version. next_cursor gets the next page.',
      inputSchema: z.strictObject({
        cursor: z.string().optional(),
        limit: z.number().int().min(1).max(100).optional(),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    answering(async ({ cursor, limit }) => {
      const query = { ...(cursor !== undefined && { cursor }), ...(limit !== undefined && { limit }) }
      const { data, next_cursor } = await unwrap(api.GET('/v1/templates', { params: { query } }))
      const templates = data.map(({ id, slug, name, version }) => ({ id, slug, name, version }))
      return text({ templates, ...(next_cursor !== undefined && { next_cursor }) })
    }),
  )

  server.registerTool(
    'describe_template',
    {
      description: 'Describes a template: the JSON schema of its data (data_schema), sample data and options.',
      inputSchema: z.strictObject({ template: z.string().describe('Slug or id') }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    answering(async ({ template }) => {
      const path = { idOrSlug: template }
      const { html: _, ...described } = await unwrap(api.GET('/v1/templates/{idOrSlug}', { params: { path } }))
      return text(described)
    }),
  )

  server.registerTool(
    'preview',
    {
      description: 'Prints a document for a look and returns one page as a picture. Nothing is stored.',
      inputSchema: z.strictObject({
        ...source,
        sample: z.string().optional().describe('The name of one of the samples of the template, instead of data'),
        page: z.number().int().min(1).optional().describe('Default: 1'),
        width: z.number().int().min(50).max(4_000).optional().describe('In pixels. Default: 1000'),
      }),
      // A document may fetch public addresses, and so carry out what the assistant has read: clients should ask first.
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    },
    answering(async (given) => {
      const { page, width, ...input } = given
      const body = { ...inputOf(input), format: 'png', ...(page && { page }), ...(width && { width }) }
      const { response, data, error } = await api.POST('/v1/preview', { body: body as never, parseAs: 'arrayBuffer' })
      const { headers } = response
      const picture = Buffer.from(await unwrap(Promise.resolve({ response, data, error } as never))).toString('base64')
      const pages = Number(headers.get('x-preview-pages'))
      const warnings = JSON.parse(headers.get('x-preview-warnings') ?? '[]')
      const image = { type: 'image' as const, data: picture, mimeType: 'image/png' }
      return { content: [image, ...text({ pages, warnings }).content] }
    }),
  )

  server.registerTool(
    'generate',
    {
      description: 'Generates a PDF and returns the URL of the file, which needs no key until it expires.',
      inputSchema: z.strictObject({
        ...source,
        file_name: z.string().optional().describe('Such as Invoice 2026-0042'),
      }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    },
    answering(async (given) => {
      const { file_name, ...input } = given
      const { id, url, pages, size, warnings } = await platen.generate({
        ...(inputOf(input) as { html: string }),
        ...(file_name !== undefined && { file_name }),
      })
      return text({ id, url, pages, size, warnings })
    }),
  )
  return server
}

interface Input {
  template?: string | undefined
  sample?: string | undefined
  html?: string | undefined
  data?: Record<string, unknown> | undefined
  options?: Record<string, unknown> | undefined
}

/** The fields that were given. Platen reports missing and unknown ones. */
function inputOf(input: Input): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
}

function text(content: object): { content: { type: 'text'; text: string }[] } {
  return { content: [{ type: 'text', text: JSON.stringify(content, null, 2) }] }
}

/** The assistant gets the error of Platen, and may correct its call. */
function answering<Given>(run: (given: Given) => Promise<CallToolResult>): (given: Given) => Promise<CallToolResult> {
  return async (given) => {
    try {
      return await run(given)
    } catch (err) {
      if (!(err instanceof PlatenError)) {
        // The error goes to the error output, for the operator. It may contain a secret, so that the assistant does not
        // get it.
        console.error(err)
        return { ...text({ error: { code: 'INTERNAL_ERROR', message: 'platen-mcp has failed' } }), isError: true }
      }
      const { code, message, details } = err
      return { ...text({ error: { code, message, ...(details !== undefined && { details }) } }), isError: true }
    }
  }
}
