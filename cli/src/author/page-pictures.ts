import type { components } from '@platen/client'
import { decode, encode } from 'fast-png'

type Schemas = components['schemas']
type Page = Schemas['ComparedPage']
type Side = Schemas['ComparedPageSide']

/** In pixels. */
const gap = 16
const frame = { distance: 2, width: 2 }
const frameColour = [214, 40, 40] as const
/** Around the pages, so that their edges are seen. */
const background = 0xd0

interface Picture {
  width: number
  height: number
  /** Three bytes for each pixel. */
  data: Uint8Array
}

/**
 * A PNG of both sides of a page, the older one on the left, with a frame around each box. Undefined if the comparison has no
 * images of the page.
 */
export function pictureOf({ from, to, boxes }: Pick<Page, 'from' | 'to' | 'boxes'>): Uint8Array | undefined {
  const drawn = [from, to].flatMap((side) => (side?.image === undefined ? [] : [drawnSide(side, side.image, boxes)]))
  if (drawn.length === 0) return undefined
  const width = drawn.reduce((sum, picture) => sum + picture.width + gap, gap)
  const height = 2 * gap + Math.max(...drawn.map((picture) => picture.height))
  const whole: Picture = { width, height, data: new Uint8Array(width * height * 3).fill(background) }
  let left = gap
  for (const picture of drawn) {
    for (let y = 0; y < picture.height; y++) {
      const row = picture.data.subarray(y * picture.width * 3, (y + 1) * picture.width * 3)
      whole.data.set(row, ((gap + y) * width + left) * 3)
    }
    left += picture.width + gap
  }
  return encode({ ...whole, channels: 3, depth: 8 })
}

function drawnSide(side: Side, image: string, boxes: Page['boxes']): Picture {
  const { width, height, data, channels } = decode(Buffer.from(image, 'base64'))
  const picture: Picture = { width, height, data: new Uint8Array(width * height * 3) }
  for (let pixel = 0; pixel < width * height; pixel++) {
    for (let channel = 0; channel < 3; channel++) {
      picture.data[3 * pixel + channel] = data[channels * pixel + (channels < 3 ? 0 : channel)] ?? 0
    }
  }
  const pixelsPerMm = width / side.width
  for (const box of boxes) drawFrame(picture, box, pixelsPerMm)
  return picture
}

/** Around the box, and not on it. What is outside of the picture is left out. */
function drawFrame(picture: Picture, { x, y, width, height }: Schemas['PageArea'], pixelsPerMm: number): void {
  const { distance, width: line } = frame
  const outer = distance + line
  const left = Math.floor(x * pixelsPerMm) - outer
  const top = Math.floor(y * pixelsPerMm) - outer
  const right = Math.ceil((x + width) * pixelsPerMm) + outer
  const bottom = Math.ceil((y + height) * pixelsPerMm) + outer
  fill(picture, { left, top, right, bottom: top + line })
  fill(picture, { left, top: bottom - line, right, bottom })
  fill(picture, { left, top, right: left + line, bottom })
  fill(picture, { left: right - line, top, right, bottom })
}

/** Pixels from `left` and `top`, to before `right` and `bottom`. */
interface Area {
  left: number
  top: number
  right: number
  bottom: number
}

function fill({ width, height, data }: Picture, { left, top, right, bottom }: Area): void {
  for (let y = Math.max(0, top); y < Math.min(height, bottom); y++) {
    for (let x = Math.max(0, left); x < Math.min(width, right); x++) data.set(frameColour, 3 * (y * width + x))
  }
}
