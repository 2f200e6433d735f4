import { createHash } from 'node:crypto'
import { openObjectStore } from '@platen/object-store/adapters/open-object-store.ts'
import t from 'tap'
import { ObjectWaits } from './object-waits.ts'
import { readSources } from './read-sources.ts'

const objects = await openObjectStore(`file:${t.testdir()}`)
t.teardown(() => objects.close())
const bytes = Buffer.from('%PDF-1.7 of a generation')
const object_key = 'pdfs/pdf_00000000000000000000000000.0123456789abcdef.pdf'
await objects.put(object_key, bytes, 'application/pdf')
const sha256 = createHash('sha256').update(bytes).digest('hex')
const stopping = new AbortController().signal
const access = { objects, waits: new ObjectWaits(), log: { warn: () => {} }, stopping }
const read = (sources: Parameters<typeof readSources>[1], maxBytes = 1_000) =>
  readSources(access, sources, { generation: 'pdf_1', signal: stopping, maxBytes })

t.test('uploads and stored PDFs are read in their order, with their passwords', async (t) => {
  const sources = await read([
    { name: 'upload', content_base64: Buffer.from('%PDF-a').toString('base64'), password: 'secret' },
    { name: 'pdf_2', object_key, sha256 },
  ])
  t.strictSame(
    sources.map((source) => ({ ...source, bytes: Buffer.from(source.bytes).toString() })),
    [
      { bytes: '%PDF-a', password: 'secret' },
      { bytes: '%PDF-1.7 of a generation', name: 'pdf_2' },
    ],
  )
})

t.test('what is gone, or is not what was asked for, is a failure that names it', async (t) => {
  await t.rejects(read([{ name: 'pdf_3', object_key: object_key.replace('pdf_0', 'pdf_1') }]), {
    code: 'FILE_DELETED',
    message: /pdf_3 is no longer stored/,
  })
  await t.rejects(read([{ name: 'pdf_2', object_key, sha256: 'a'.repeat(64) }]), { code: 'FILE_DELETED' })
})

t.test('all sources together have a bound', async (t) => {
  const source = { name: 'pdf_2', object_key, sha256 }
  t.equal((await read([source, source], 2 * bytes.length)).length, 2)
  const upload = { name: 'upload', content_base64: bytes.toString('base64') }
  for (const last of [source, upload]) {
    await t.rejects(read([source, last], 2 * bytes.length - 1), { code: 'RENDER_LIMIT_EXCEEDED' })
  }
})
