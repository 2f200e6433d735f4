import type { PrintedPage } from '../support/read-pages.ts'
import { type Colour, colours } from './loading-kind.ts'

/** Fewer are the edge of something else. */
const fewestPixels = 20

/** The colours that are on the pages. */
export function coloursOf(pages: readonly PrintedPage[]): Colour[] {
  const counts = new Map<number, number>()
  for (const { picture } of pages) {
    if (!picture) continue
    const { data } = picture.getContext('2d').getImageData(0, 0, picture.width, picture.height)
    for (let at = 0; at < data.length; at += 4) {
      const colour = ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0)
      if (colour !== 0xffffff) counts.set(colour, (counts.get(colour) ?? 0) + 1)
    }
  }
  const names: Colour[] = ['green', 'blue', 'red']
  return names.filter((name) => (counts.get(Number.parseInt(colours[name].slice(1), 16)) ?? 0) >= fewestPixels)
}
