import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import t from 'tap'
import { joinBytes, readBytes } from './read-bytes.ts'

const mib = 2 ** 20

t.test('parts of any size are joined as they are', async (t) => {
  for (const sizes of [[], [0], [3, 0, 5], [4 * mib], [3 * mib, 2 * mib, 0, 9 * mib + 1], Array(90).fill(65_536)]) {
    const parts = sizes.map((size) => randomBytes(size))
    const whole = Buffer.concat(parts)
    t.ok((await joinBytes(parts)).equals(whole), `${sizes.slice(0, 5)}`)
    t.ok((await readBytes(Readable.from(parts))).equals(whole))
  }
})

t.test('others have turns while many bytes are joined', async (t) => {
  let turns = 0
  const counting = setInterval(() => turns++, 0)
  await joinBytes([Buffer.alloc(200 * mib)])
  clearInterval(counting)
  t.ok(turns > 3, `${turns} turns`)
})
