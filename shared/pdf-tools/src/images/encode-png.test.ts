import { fc } from '@platen/test-support/fast-check.ts'
import { decode } from 'fast-png'
import t from 'tap'
import { encodePng } from './encode-png.ts'

const side = fc.integer({ min: 1, max: 40 })
const drawn = fc
  .tuple(side, side)
  .chain(([width, height]) =>
    fc
      .uint8Array({ minLength: width * height * 4, maxLength: width * height * 4 })
      .map((pixels) => ({ width, height, pixels })),
  )

t.test('a decoder reads the colours that were encoded', async (t) => {
  const property = fc.property(drawn, ({ width, height, pixels }) => {
    const { data, ...picture } = decode(encodePng({ width, height, pixels }))
    const colours = pixels.filter((_, at) => at % 4 < 3)
    return picture.width === width && picture.channels === 3 && Buffer.compare(Buffer.from(data), colours) === 0
  })
  t.equal(fc.check(property).counterexample, null)
})
