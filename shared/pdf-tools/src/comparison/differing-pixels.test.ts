import { isDeepStrictEqual } from 'node:util'
import { fc } from '@platen/test-support/fast-check.ts'
import t from 'tap'
import { type Box, differingPixels } from './differing-pixels.ts'
import type { Picture } from './page-look.ts'

const maxBoxes = 50
const none = { ignored: [], maxBoxes }

function white(width: number, height: number): Picture {
  return { width, height, pixels: new Uint8Array(width * height * 4).fill(255) }
}

/** With areas of a grey. */
function painted({ width, height, pixels }: Picture, areas: readonly (Box & { grey: number })[]): Picture {
  const copy = pixels.slice()
  for (const area of areas) {
    for (let y = area.y; y < Math.min(height, area.y + area.height); y++) {
      for (let x = area.x; x < Math.min(width, area.x + area.width); x++) {
        copy.fill(area.grey, 4 * (y * width + x), 4 * (y * width + x) + 3)
      }
    }
  }
  return { width, height, pixels: copy }
}

/** The pixels that differ, found in the simplest way. */
function differing(from: Picture, to: Picture): [x: number, y: number][] {
  const channels = ({ width, height, pixels }: Picture, x: number, y: number) =>
    x < width && y < height ? [...pixels.subarray(4 * (y * width + x), 4 * (y * width + x) + 4)] : [-9, -9, -9, -9]
  const found: [number, number][] = []
  for (let y = 0; y < Math.max(from.height, to.height); y++) {
    for (let x = 0; x < Math.max(from.width, to.width); x++) {
      const after = channels(to, x, y)
      if (channels(from, x, y).some((level, channel) => Math.abs(level - (after[channel] ?? 0)) > 2)) found.push([x, y])
    }
  }
  return found
}

const within = ([x, y]: [number, number], box: Box) =>
  x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height

const side = fc.integer({ min: 1, max: 90 })
const area = fc.record({
  x: fc.nat(89),
  y: fc.nat(89),
  width: fc.integer({ min: 1, max: 12 }),
  height: fc.integer({ min: 1, max: 12 }),
  grey: fc.constantFrom(0, 128, 252, 253, 254, 255),
})
const areas = fc.array(area, { maxLength: 8 })
const pair = fc
  .tuple(side, side, side, side, areas, areas, fc.boolean())
  .map(([width, height, otherWidth, otherHeight, before, after, isOneSize]) => ({
    from: painted(white(width, height), before),
    to: painted(isOneSize ? white(width, height) : white(otherWidth, otherHeight), after),
  }))

/** The smallest example for which the property does not hold; else null. */
const counterexample = <Arguments>(property: fc.IProperty<Arguments>) => fc.check(property).counterexample

t.test('equal pictures have no box', async (t) => {
  const property = fc.property(pair, ({ from }) => {
    const copy = { ...from, pixels: from.pixels.slice() }
    const none = { count: 0, pixels: from.width * from.height, boxes: [] }
    return isDeepStrictEqual(differingPixels(from, copy, { ignored: [], maxBoxes }), none)
  })
  t.equal(counterexample(property), null)
})

t.test('each pixel that differs is counted and in one box, and the edges of a box touch such pixels', async (t) => {
  const property = fc.property(pair, fc.integer({ min: 1, max: maxBoxes }), ({ from, to }, mostBoxes) => {
    const expected = differing(from, to)
    const { count, pixels, boxes } = differingPixels(from, to, { ignored: [], maxBoxes: mostBoxes })
    const isTight = (box: Box) => {
      const inside = expected.filter((pixel) => within(pixel, box))
      const [columns, rows] = [inside.map(([x]) => x), inside.map(([, y]) => y)]
      const [x, y, right, bottom] = [Math.min(...columns), Math.min(...rows), Math.max(...columns), Math.max(...rows)]
      return isDeepStrictEqual(box, { x, y, width: right - x + 1, height: bottom - y + 1 })
    }
    return (
      count === expected.length &&
      pixels === Math.max(from.width, to.width) * Math.max(from.height, to.height) &&
      boxes.length <= mostBoxes &&
      expected.every((pixel) => boxes.filter((box) => within(pixel, box)).length === 1) &&
      boxes.every(isTight)
    )
  })
  t.equal(counterexample(property), null)
})

t.test('what is in an ignored area does not differ', async (t) => {
  const property = fc.property(pair, fc.array(area, { maxLength: 3 }), ({ from, to }, ignored) => {
    const expected = differing(from, to).filter((pixel) => !ignored.some((box) => within(pixel, box)))
    return differingPixels(from, to, { ignored, maxBoxes }).count === expected.length
  })
  t.equal(counterexample(property), null)
})

t.test('levels of antialiasing that nobody sees do not count, and a light area does', async (t) => {
  const from = painted(white(60, 60), [{ x: 10, y: 10, width: 20, height: 1, grey: 100 }])
  const edge = (grey: number) => painted(from, [{ x: 10, y: 10, width: 20, height: 1, grey }])
  for (const grey of [98, 102]) t.equal(differingPixels(from, edge(grey), none).count, 0, String(grey))
  for (const grey of [97, 103]) t.equal(differingPixels(from, edge(grey), none).count, 20, String(grey))
  const stripe = painted(from, [{ x: 0, y: 40, width: 60, height: 10, grey: 252 }])
  t.same(differingPixels(from, stripe, none).boxes, [{ x: 0, y: 40, width: 60, height: 10 }])
})

t.test('places that are far from each other have boxes of their own, and a word has one', async (t) => {
  const dot = (x: number, y: number) => ({ x, y, width: 2, height: 2, grey: 0 })
  const from = white(200, 100)
  const to = painted(from, [dot(10, 10), dot(16, 11), dot(23, 10), dot(150, 80)])
  t.same(differingPixels(from, to, none).boxes, [
    { x: 10, y: 10, width: 15, height: 3 },
    { x: 150, y: 80, width: 2, height: 2 },
  ])
})

t.test('places are in one box in whatever direction they touch', async (t) => {
  const from = white(60, 60)
  const cell = (column: number, row: number) => ({ x: 8 * column + 3, y: 8 * row + 3, width: 1, height: 1, grey: 0 })
  for (const [column, row] of [
    [2, 2],
    [3, 2],
    [4, 2],
    [2, 3],
    [4, 3],
    [2, 4],
    [3, 4],
    [4, 4],
  ] as const) {
    t.equal(
      differingPixels(from, painted(from, [cell(3, 3), cell(column, row)]), none).boxes.length,
      1,
      `${column} ${row}`,
    )
  }
  t.equal(differingPixels(from, painted(from, [cell(3, 3), cell(5, 3)]), none).boxes.length, 2)
})

t.test('thousands of places are in at most as many boxes as are asked for', async (t) => {
  const from = white(800, 1_100)
  const dots = Array.from({ length: 2_000 }, (_, at) => ({
    x: (at * 193) % 790,
    y: (at * 389) % 1_090,
    width: 1,
    height: 1,
    grey: 0,
  }))
  const to = painted(from, dots)
  const { boxes } = differingPixels(from, to, none)
  t.ok(boxes.length > 0 && boxes.length <= maxBoxes)
  t.ok(differing(from, to).every((pixel) => boxes.some((box) => within(pixel, box))))
})
