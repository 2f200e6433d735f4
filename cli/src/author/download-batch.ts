import { createWriteStream } from 'node:fs'
import { access, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { defineCommand, one } from '../frame/command.ts'
import { dryRun, UsageError } from '../frame/options.ts'
import { type BatchApi, openBatches } from './batch-api.ts'
import { ownerOption } from './library.ts'

const forms = ['zip', 'pdf', 'list'] as const
type Form = (typeof forms)[number]

export const downloadBatch = defineCommand({
  name: 'batches download',
  argument: one('batch id'),
  summary: 'write the PDFs of an ended batch to a file: as a ZIP, as one PDF, or the list of its items',
  options: {
    as: {
      value: 'FORM',
      about: 'zip, pdf (one, up to 1,000 pages and 50 MiB) or list',
      default: 'zip',
      read: readForm,
    },
    to: { value: 'FILE', about: 'the file (default: <batch id>.zip, .pdf or .ndjson in this folder)' },
    force: { about: 'also over a file that exists' },
    ...ownerOption,
    ...dryRun,
  },
  notes: ['The file has its name only when it is whole. Items that have failed are in the list, and in no other form.'],
  async run({ env, print, progress, signal }, { argument: id, as, to, force, owner, json, 'dry-run': isDryRun }) {
    const batches = await openBatches(env, owner)
    const batch = await batches.batch(id)
    if (batch.ended_at === undefined) throw new Error(`${id} is ${batch.status}; see batches wait`)
    const file = to ?? `${batch.id}.${as === 'list' ? 'ndjson' : as}`
    if (!force && (await exists(file))) throw new Error(`${file} exists; add --force to overwrite it`)
    if (isDryRun) {
      return print(json ? JSON.stringify({ id, file, dry_run: true }) : `${file} would be written`)
    }
    let bytes = 0
    {
      using bar = progress(file)
      bytes = await write(await contentOf(batches, id, as), file, { signal, onBytes: (count) => bar.at(count) })
    }
    print(json ? JSON.stringify({ id, file, bytes }) : `${file}  ${bytes} bytes`)
  },
})

function readForm(text: string, option: string): Form {
  return forms.find((form) => form === text) ?? wrongForm(option)
}

function wrongForm(option: string): never {
  throw new UsageError(`${option} must be one of ${forms.join(', ')}`)
}

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )

async function contentOf(batches: BatchApi, id: string, form: Form): Promise<Readable> {
  if (form === 'list') return Readable.from(linesOf(batches, id))
  return Readable.fromWeb((await batches.file(id, form)) as Parameters<typeof Readable.fromWeb>[0])
}

async function* linesOf(batches: BatchApi, id: string): AsyncGenerator<Buffer> {
  for await (const item of batches.items(id)) yield Buffer.from(`${JSON.stringify(item)}\n`)
}

async function write(
  content: Readable,
  file: string,
  { signal, onBytes }: { signal: AbortSignal; onBytes: (count: number) => void },
): Promise<number> {
  const partial = `${file}.${process.pid}.part`
  let bytes = 0
  const counting = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength
      onBytes(bytes)
      yield chunk
    }
  }
  try {
    await pipeline(content, counting, createWriteStream(partial, { flags: 'wx' }), { signal })
    await rename(partial, file)
    return bytes
  } catch (err) {
    await rm(partial, { force: true })
    throw err
  }
}
