import type { Picture } from './page-look.ts'

/** A box in pixels. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export interface Differing {
  /** Pixels that differ. */
  count: number
  /** Pixels of a picture that is as wide and as high as the larger of the two. */
  pixels: number
  /** Around the pixels that differ, from top to bottom. */
  boxes: Box[]
}

export interface DifferingOptions {
  /** Areas whose differences are ignored. */
  ignored: readonly Box[]
  maxBoxes: number
}

/**
 * Levels of a channel that nobody sees, of 255. At another place of a document, the edges of the same letters and lines are drawn with
 * one or two levels more or less, as coordinates in a PDF are rounded.
 */
const unseenLevels = 2

/** Pixels that are closer than two cells are in one box: the letters of a word, the lines of a paragraph. */
const cellPixels = 8

/** Compares two pictures of one scale, pixel by pixel. What only one of them has differs, and what differs by levels that are seen. */
export function differingPixels(from: Picture, to: Picture, { ignored, maxBoxes }: DifferingOptions): Differing {
  const [width, height] = [Math.max(from.width, to.width), Math.max(from.height, to.height)]
  const [old, now] = [colours(from), colours(to)]
  const columns = Math.ceil(width / cellPixels)
  const cells = new Map<number, Edges>()
  let count = 0
  for (let y = 0; y < height; y++) {
    const hidden = ignored.filter((box) => y >= box.y && y < box.y + box.height)
    const [oldRow, nowRow] = [y < from.height ? y * from.width : -1, y < to.height ? y * to.width : -1]
    for (let x = 0; x < width; x++) {
      const before = oldRow >= 0 && x < from.width ? old[oldRow + x] : undefined
      const after = nowRow >= 0 && x < to.width ? now[nowRow + x] : undefined
      if (before === after || looksEqual(before, after) || hidden.some((box) => x >= box.x && x < box.x + box.width))
        continue
      count++
      const cell = Math.floor(y / cellPixels) * columns + Math.floor(x / cellPixels)
      const edges = cells.get(cell)
      if (!edges) cells.set(cell, { left: x, top: y, right: x, bottom: y })
      else extend(edges, { left: x, top: y, right: x, bottom: y })
    }
  }
  return { count, pixels: width * height, boxes: boxesOf(cells, columns, maxBoxes) }
}

const colours = ({ pixels }: Picture) => {
  const isAligned = pixels.byteOffset % 4 === 0
  const bytes = isAligned ? pixels : pixels.slice()
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
}

/** Colours of four bytes; undefined where there is no picture. */
function looksEqual(one: number | undefined, other: number | undefined): boolean {
  if (one === undefined || other === undefined) return false
  for (let shift = 0; shift < 32; shift += 8) {
    if (Math.abs(((one >>> shift) & 255) - ((other >>> shift) & 255)) > unseenLevels) return false
  }
  return true
}

/** The first and last pixels of an area. */
interface Edges {
  left: number
  top: number
  right: number
  bottom: number
}

function extend(edges: Edges, { left, top, right, bottom }: Edges): void {
  edges.left = Math.min(edges.left, left)
  edges.top = Math.min(edges.top, top)
  edges.right = Math.max(edges.right, right)
  edges.bottom = Math.max(edges.bottom, bottom)
}

/** The areas of cells that touch. If there are too many, of cells twice as large. */
function boxesOf(cells: ReadonlyMap<number, Edges>, columns: number, maxBoxes: number): Box[] {
  const areas = touchingAreas(cells, columns)
  const separate = areas.length > 10 * maxBoxes ? areas : withoutOverlaps(areas)
  if (separate.length > maxBoxes) {
    const fewer = Math.ceil(columns / 2)
    const larger = new Map<number, Edges>()
    for (const [cell, edges] of cells) {
      const row = Math.floor(Math.floor(cell / columns) / 2)
      const index = row * fewer + Math.floor((cell % columns) / 2)
      const known = larger.get(index)
      if (known) extend(known, edges)
      else larger.set(index, { ...edges })
    }
    return boxesOf(larger, fewer, maxBoxes)
  }
  return separate
    .sort((a, b) => a.top - b.top || a.left - b.left)
    .map(({ left, top, right, bottom }) => ({ x: left, y: top, width: right - left + 1, height: bottom - top + 1 }))
}

function touchingAreas(cells: ReadonlyMap<number, Edges>, columns: number): Edges[] {
  const left = new Set(cells.keys())
  const areas: Edges[] = []
  for (const first of cells.keys()) {
    if (!left.delete(first)) continue
    const area = { ...(cells.get(first) as Edges) }
    const open = [first]
    for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
      extend(area, cells.get(cell) as Edges)
      const column = cell % columns
      for (const dy of [-columns, 0, columns]) {
        for (const dx of [-1, 0, 1]) {
          if (column + dx < 0 || column + dx >= columns) continue
          if (left.delete(cell + dy + dx)) open.push(cell + dy + dx)
        }
      }
    }
    areas.push(area)
  }
  return areas
}

function withoutOverlaps(areas: readonly Edges[]): Edges[] {
  const separate: Edges[] = []
  for (const area of areas) {
    const joined = { ...area }
    // An area that has grown may overlap those that it did not before.
    for (let index = separate.findIndex((other) => overlap(joined, other)); index !== -1; ) {
      extend(joined, separate[index] as Edges)
      separate.splice(index, 1)
      index = separate.findIndex((other) => overlap(joined, other))
    }
    separate.push(joined)
  }
  return separate
}

const overlap = (a: Edges, b: Edges) => a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom
