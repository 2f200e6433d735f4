import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { Platen } from '@platen/client'
import { ownerOfSharedPlaten } from '@platen/test-support/shared-platen.ts'
import t, { type Test } from 'tap'
import { buildServer } from './server.ts'

const platen = await ownerOfSharedPlaten()
const main = join(import.meta.dirname, 'main.ts')

async function connect(t: Test, key: string) {
  const client = new Client({ name: 'test', version: '1' })
  const env = { PATH: process.env.PATH ?? '', PLATEN_URL: platen.url, PLATEN_API_KEY: key }
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [main], env, stderr: 'inherit' }))
  t.teardown(() => client.close())
  return async (name: string, args: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: args })
    const [first, ...more] = content as { type: string; text?: string; data?: string; mimeType?: string }[]
    const json = (first?.type === 'text' ? first : more[0])?.text ?? 'null'
    return { first, isError, json: parse(json) }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every tool
function parse(text: string): any {
  return text.startsWith('{') ? JSON.parse(text) : text
}

t.test('an assistant finds a template, looks at it, and generates a PDF', async (t) => {
  const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
  const samples = { long: { name: 'Ada King, Countess of Lovelace' } }
  const source = { name: 'Greeting', html: '<h1>Hello {{name}}</h1>', data_schema: schema }
  const body = { ...source, sample_data: { name: 'Ada' }, samples }
  await platen.json('/v1/templates', { body })
  const call = await connect(t, platen.apiKey)
  t.match((await call('list_templates', { limit: 5 })).json, { templates: [{ slug: 'greeting', version: 1 }] })
  const described = (await call('describe_template', { template: 'greeting' })).json
  t.match(described, { data_schema: schema, sample_data: { name: 'Ada' }, samples })
  t.notOk('html' in described)
  const preview = await call('preview', { template: 'greeting', data: { name: 'Bo' }, width: 300 })
  t.match(preview.first, { type: 'image', mimeType: 'image/png' })
  t.equal(
    Buffer.from(preview.first?.data ?? '', 'base64')
      .subarray(1, 4)
      .toString(),
    'PNG',
  )
  t.match(preview.json, { pages: 1, warnings: [] })
  const ofSample = await call('preview', { template: 'greeting', sample: 'long', width: 300 })
  t.equal(ofSample.first?.mimeType, 'image/png')
  t.not(ofSample.first?.data, preview.first?.data, 'it has the data of the sample')
  const { json } = await call('generate', { template: 'greeting', data: { name: 'Bo' }, file_name: 'hello' })
  t.match(json, { id: /^pdf_/, pages: 1, url: String })
  const file = Buffer.from(await (await fetch(json.url)).arrayBuffer())
  t.equal(file.subarray(0, 5).toString(), '%PDF-')
})

t.test('what Platen refuses is told with its code', async (t) => {
  const call = await connect(t, platen.apiKey)
  const refused = async (name: string, args: object, code: string) =>
    t.match(await call(name, { ...args }), { isError: true, json: { error: { code, message: String } } }, name)
  await refused('describe_template', { template: 'nothing' }, 'TEMPLATE_NOT_FOUND')
  const details = [{ path: 'data.name' }]
  const { json } = await call('generate', { template: 'greeting', data: {} })
  t.match(json, { error: { code: 'VALIDATION_ERROR', details } })
  await refused('preview', { html: '{{#if', width: 300 }, 'TEMPLATE_SYNTAX_ERROR')
  await refused('generate', {}, 'VALIDATION_ERROR')
})

t.test('options reach the document, and an unknown argument is refused instead of ignored', async (t) => {
  const call = await connect(t, platen.apiKey)
  const { json } = await call('generate', { html: '<p>x', options: { width: '100mm', height: '50mm' } })
  const file = await (await fetch(json.url)).text()
  t.match(file, /\/MediaBox ?\[0 0 28[34][\d.]* 14[12]/)
  const misspelt = await call('generate', { html: '<p>x', options: { fromat: 'A5' } })
  t.match(misspelt, { isError: true, json: { error: { details: [{ path: 'options.fromat' }] } } })
  for (const [name, given] of [
    ['generate', { html: 'x', format: 'A5' }],
    ['preview', { html: 'x', label: 'y' }],
    ['list_templates', { page: 2 }],
    ['describe_template', { template: 'greeting', version: 1 }],
  ] as const) {
    t.match(await call(name, given), { isError: true, json: /nrecognized key/ }, name)
  }
})

t.test('clients are told which tools print documents, which may load from elsewhere', async (t) => {
  const client = new Client({ name: 'test', version: '1' })
  const [ofClient, ofServer] = InMemoryTransport.createLinkedPair()
  await buildServer({} as Platen).connect(ofServer)
  await client.connect(ofClient)
  t.teardown(() => client.close())
  const { tools } = await client.listTools()
  const hints = tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint, annotations?.openWorldHint])
  t.same(hints, [
    ['list_templates', true, false],
    ['describe_template', true, false],
    ['preview', false, true],
    ['generate', false, true],
  ])
})

t.test('it has the rights of its key', async (t) => {
  const { body } = await platen.json<{ key: string }>('/v1/keys', { body: { name: 'r', scopes: ['templates:read'] } })
  const call = await connect(t, body.key)
  t.notOk((await call('list_templates')).isError)
  t.match(await call('generate', { html: 'x' }), { isError: true, json: { error: { code: 'FORBIDDEN' } } })
  const wrong = await connect(t, 'pk_wrong')
  t.match(await wrong('list_templates'), { isError: true, json: { error: { code: 'UNAUTHORIZED' } } })
})

t.test('a key that cannot be sent ends the server with a line that does not show it', async (t) => {
  const env = { PATH: process.env.PATH ?? '', PLATEN_URL: platen.url, PLATEN_API_KEY: 'hidden\nkey' }
  const { status, stdout, stderr } = spawnSync(process.execPath, [main], { env, encoding: 'utf8', input: '' })
  t.match({ status, stdout }, { status: 1, stdout: '' })
  t.match(stderr, /^platen-mcp: The API key must be printable ASCII.*\n$/)
  t.notMatch(stderr, /hidden/)
})

t.test('a failure that is not of Platen is told in fixed words', async (t) => {
  const failing = { api: { GET: () => Promise.reject(new TypeError('Bearer hidden is no header')) } }
  const server = buildServer(failing as unknown as Platen)
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'test', version: '1' })
  const printed: unknown[] = []
  t.intercept(console, 'error', { value: (err: unknown) => printed.push(err) })
  await Promise.all([server.connect(ours), client.connect(theirs)])
  t.teardown(() => client.close())
  const { content, isError } = await client.callTool({ name: 'list_templates', arguments: {} })
  t.ok(isError)
  t.match(JSON.stringify(content), /platen-mcp has failed/)
  t.notMatch(JSON.stringify(content), /hidden/)
  t.match(printed, [{ message: /hidden/ }])
})
