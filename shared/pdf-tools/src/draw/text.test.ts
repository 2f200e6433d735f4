import t from 'tap'
import { textDrawings } from './text.ts'

/** The texts that are drawn, each as often as it is. */
function drawnFor(text: string, pages: number): string[] {
  const drawn: string[] = []
  const drawingOf = textDrawings(text, pages, (shown) => {
    drawn.push(shown)
    return { width: 1, height: 1, operators: () => shown }
  })
  for (let page = 1; page <= pages; page++) drawingOf(page)
  return drawn
}

t.test('a text that all pages have is drawn once, and one with their number for each', async (t) => {
  t.strictSame(drawnFor('DRAFT', 1_000), ['DRAFT'])
  t.strictSame(drawnFor('of {{pages}}', 3), ['of 3'])
  t.strictSame(drawnFor('{{page}} of {{ pages }}', 3), ['1 of 3', '2 of 3', '3 of 3'])
})
