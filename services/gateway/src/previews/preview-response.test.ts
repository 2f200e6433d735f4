import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { jsonWithContent } from './preview-response.ts'

t.test('the file is the same however its parts are cut', async (t) => {
  const file = randomBytes(1_000)
  for (const bytes of [1, 2, 3, 7, 512, 999, 1_000, 2_000]) {
    const parts: Uint8Array[] = []
    for (let at = 0; at < file.length; at += bytes) parts.push(file.subarray(at, at + bytes))
    const json = await text(Readable.from(jsonWithContent({ pages: 1, warnings: [] }, parts)))
    t.strictSame(JSON.parse(json), { pages: 1, warnings: [], content: file.toString('base64') }, `${bytes}`)
  }
  t.strictSame(JSON.parse(await text(Readable.from(jsonWithContent({ pages: 1 }, [])))), {
    pages: 1,
    content: '',
  })
})
