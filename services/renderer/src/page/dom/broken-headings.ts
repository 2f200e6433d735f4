import { dom } from './dom.ts'
import { linesOf } from './headings.ts'

/** The lines of each heading that has several. */
export function brokenHeadings(): string[][] {
  const broken: string[][] = []
  for (const heading of dom.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    if (heading.firstElementChild === null || broken.length >= 2_000) continue
    const lines = linesOf(heading)
    if (lines.length > 1) broken.push(lines)
  }
  return broken
}
