import { randomUUID } from 'node:crypto'
import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { defineCommand, optional } from '../frame/command.ts'
import { count, dryRun } from '../frame/options.ts'
import { printRows } from '../frame/table.ts'
import { type BatchFields, openBatches } from './batch-api.ts'
import { batchColumns } from './batches.ts'
import { ownerOption } from './library.ts'

const limits = { items: 100_000, bytes: 2 ** 30 }

export const createBatch = defineCommand({
  name: 'batches create',
  argument: optional('file'),
  summary: 'print a document for each line of a file, or of the standard input: up to 100,000 lines of JSON',
  options: {
    template: { value: 'TEMPLATE', about: 'the id or slug of the template of items that name none' },
    'template-version': count('its version (default: the newest)', 'VERSION'),
    'template-label': { value: 'LABEL', about: 'its version with this label, such as published' },
    'file-name': { value: 'NAME', about: 'of each PDF, such as "Invoice {{number}}", with values of the data' },
    'webhook-url': { value: 'URL', about: 'a POST is sent to it when the batch has ended' },
    'idempotency-key': { value: 'KEY', about: 'makes no second batch of the same lines within 24 hours' },
    ...ownerOption,
    ...dryRun,
  },
  notes: [
    'A line is what POST /v1/generate takes, such as {"data": {"number": 7}}. The batch is accepted or refused as a whole; an',
    'error names the lines. A dry run reads the lines and sends nothing: only that each is a JSON object is checked.',
    'Follow it with batches wait, and fetch the files with batches download.',
  ],
  async run({ env, print, progress, input, signal }, { argument: path, owner, json, ...given }) {
    await using spooled = new AsyncDisposableStack()
    if (path !== undefined && !(await isFile(path))) throw new Error(`there is no file ${path}`)
    const blob = await openAsBlob(path ?? (await spool(input(), spooled)))
    if (blob.size > limits.bytes) throw new Error('a batch has at most 1 GiB of lines; split the file')
    if (given['dry-run']) {
      const items = await checkLines(blob)
      const text = `${items} items would be sent, ${blob.size} bytes`
      return print(json ? JSON.stringify({ items, bytes: blob.size, dry_run: true }) : text)
    }
    const batches = await openBatches(env, owner)
    using bar = progress('sending')
    const open = () => {
      let sent = 0
      const counting = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          sent += chunk.byteLength
          bar.at(sent, blob.size)
          controller.enqueue(chunk)
        },
      })
      return blob.stream().pipeThrough(counting)
    }
    const idempotencyKey = given['idempotency-key'] ?? randomUUID()
    const batch = await batches.create(fieldsOf(given), { idempotencyKey, open, signal })
    printRows([batch], { print, json, columns: batchColumns })
  },
})

const isFile = (path: string) =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )

interface Given {
  template: string | undefined
  'template-version': number | undefined
  'template-label': string | undefined
  'file-name': string | undefined
  'webhook-url': string | undefined
}

function fieldsOf(given: Given): BatchFields {
  const fields = {
    template: given.template,
    template_version: given['template-version'],
    template_label: given['template-label'],
    file_name: given['file-name'],
    webhook_url: given['webhook-url'],
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** Writes what comes to a file: it may have to be sent again. */
async function spool(input: AsyncIterable<Uint8Array>, resources: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-batch-'))
  resources.defer(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'items')
  await pipeline(withinLimit(input), createWriteStream(path, { mode: 0o600 }))
  return path
}

async function* withinLimit(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of input) {
    bytes += chunk.byteLength
    if (bytes > limits.bytes) throw new Error('a batch has at most 1 GiB of lines; split them')
    yield chunk
  }
}

async function checkLines(blob: Blob): Promise<number> {
  const stream = Readable.fromWeb(blob.stream() as Parameters<typeof Readable.fromWeb>[0])
  let line = 0
  for await (const text of createInterface({ input: stream })) {
    line += 1
    if (line > limits.items) throw new Error('a batch has at most 100,000 items; split the file')
    if (!isObject(text)) throw new Error(`line ${line} is no JSON object`)
  }
  if (line === 0) throw new Error('there are no lines')
  return line
}

function isObject(text: string): boolean {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
