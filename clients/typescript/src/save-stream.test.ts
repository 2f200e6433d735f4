import { open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { saveStream } from './save-stream.ts'

const parts = [Buffer.from('%PDF-1.7 and '), Buffer.from('more')]

t.test('a write that takes a part is continued', async (t) => {
  const folder = t.testdir()
  const handle = await open(join(folder, 'other'), 'w')
  const prototype = Object.getPrototypeOf(handle)
  await handle.close()
  const { write } = prototype
  t.intercept(prototype, 'write', {
    value(bytes: Uint8Array, offset = 0) {
      return write.call(this, bytes, offset, Math.min(3, bytes.length - offset))
    },
  })
  await saveStream(ReadableStream.from(parts), join(folder, 'x.pdf'))
  t.equal(await readFile(join(folder, 'x.pdf'), 'utf8'), '%PDF-1.7 and more')
})

t.test('a write that fails leaves no file', async (t) => {
  const folder = t.testdir()
  const failing = new ReadableStream<Uint8Array>({
    pull(to) {
      to.enqueue(Buffer.from('%PDF-'))
      to.error(new Error('it is broken'))
    },
  })
  await t.rejects(saveStream(failing, join(folder, 'x.pdf')), { message: 'it is broken' })
  t.same(await readdir(folder), [])
})
