import { zipSync } from 'fflate'
import t from 'tap'
import { readZip } from './read-zip.ts'

const limits = { entries: 3, entryBytes: 1_000, totalBytes: 1_500 }
const text = (length: number) => Buffer.alloc(length, 'a')
const zip = (files: Record<string, Uint8Array>, level: 0 | 6 = 6) => Buffer.from(zipSync(files, { level }))
const read = async (bytes: Buffer) =>
  [...(await readZip(bytes, limits))].map(([path, content]) => [path, content.length])

t.test('stored and deflated files are read, folders are not', async (t) => {
  for (const level of [0, 6] as const)
    t.same(await read(zip({ 'a/': text(0), 'a/b.json': text(900) }, level)), [['a/b.json', 900]])
})

t.test('what is beyond a limit is refused, whatever the archive says of its sizes', async (t) => {
  const bomb = zip({ 'bomb.json': text(1_000_000) })
  await t.rejects(read(bomb), /bomb\.json has more than 1000 bytes/)
  const central = bomb.lastIndexOf('PK\x01\x02')
  // As if it had ten bytes.
  bomb.writeUInt32LE(10, central + 24)
  await t.rejects(read(bomb), /bomb\.json is damaged/)
  await t.rejects(read(zip({ 'a.json': text(1_001) }, 0)), /a\.json has more than 1000 bytes/)
  await t.rejects(read(zip({ a: text(900), b: text(900) })), /more than 1500 bytes/)
  await t.rejects(read(zip({ a: text(1), b: text(1), c: text(1), d: text(1) })), /more than 3 files/)
})

t.test('an archive that is damaged, cut off, encrypted or none is refused with a reason', async (t) => {
  const whole = zip({ 'a.json': text(900) })
  await t.rejects(read(Buffer.from('{}')), /no ZIP archive/)
  await t.rejects(read(Buffer.alloc(0)), /no ZIP archive/)
  for (let length = 0; length < whole.length; length++) {
    await t.rejects(read(whole.subarray(0, length)), /ZIP archive/, `${length} bytes`)
  }
  const central = whole.lastIndexOf('PK\x01\x02')
  const changed = (at: number, value: number) => {
    const copy = Buffer.from(whole)
    copy[at] = value
    return copy
  }
  await t.rejects(read(changed(central + 8, 1)), /encrypted/)
  await t.rejects(read(changed(central + 10, 12)), /packed in another way/)
  await t.rejects(read(changed(central + 16, (whole[central + 16] ?? 0) ^ 1)), /a\.json is damaged/)
  await t.rejects(read(changed(central + 44, 0x7f)), /damaged/)
})

t.test('an archive with one wrong byte is read as it was, or refused', async (t) => {
  const whole = zip({ 'a.json': text(900), 'b.json': Buffer.from('{}') })
  const wrong: string[] = []
  for (let at = 0; at < whole.length; at++) {
    for (const bits of [0x01, 0x80, 0xff]) {
      const copy = Buffer.from(whole)
      copy[at] = (copy[at] ?? 0) ^ bits
      const result = await readZip(copy, limits).catch((err: unknown) => err)
      if (result instanceof Error && / ZIP archive|encrypted, or packed|has more than/.test(result.message)) continue
      const contents = result instanceof Map ? [...result.values()].map(String) : [String(result)]
      if (contents.some((content) => content !== '{}' && content !== String(text(900))))
        wrong.push(`${at}: ${contents}`)
    }
  }
  t.strictSame(wrong, [])
})
