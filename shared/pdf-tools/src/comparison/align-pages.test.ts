import { isDeepStrictEqual } from 'node:util'
import { fc } from '@platen/test-support/fast-check.ts'
import t from 'tap'
import { alignPages, type PagePair } from './align-pages.ts'
import { lookOf, type PageLook, type PageSize } from './page-look.ts'

const size: PageSize = { width: 595, height: 842 }
/** Black lines on white, at heights that depend on the text. */
function drawn(text: string) {
  const [width, height] = [48, 64]
  const pixels = new Uint8Array(width * height * 4).fill(255)
  for (const [at, char] of [...text].entries()) {
    const row = (char.charCodeAt(0) * 7 + at * 3) % height
    const pixel = (row * width + (at % width)) * 4
    pixels.fill(0, pixel, pixel + 3)
  }
  return { width, height, pixels }
}
const pageOf = (text: string): PageLook => lookOf(text, size, drawn(text))

/** The words of one page are on no other. */
const ownWords = (page: number) => Array.from({ length: 20 }, (_, word) => `w${page}x${word}`)
const distinct = (count: number, first = 0) =>
  Array.from({ length: count }, (_, at) => pageOf(['Report', ...ownWords(first + at)].join(' ')))

const shown = (pairs: readonly PagePair[]) => pairs.map(({ from, to }) => `${from ?? '-'} ${to ?? '-'}`)
const unpaired = (pairs: readonly PagePair[]) => pairs.filter(({ from, to }) => from === undefined || to === undefined)
const inserted = <Item>(items: readonly Item[], at: number, item: Item) => [
  ...items.slice(0, at),
  item,
  ...items.slice(at),
]

/** How many pages, and a place in them. */
const placed = fc.integer({ min: 1, max: 12 }).chain((count) => fc.tuple(fc.constant(count), fc.nat(count)))

/** The smallest example for which the property does not hold; else null. */
const counterexample = <Arguments>(property: fc.IProperty<Arguments>) => fc.check(property).counterexample

t.test('pages of equal documents are pairs', async (t) => {
  const property = fc.property(fc.array(fc.nat(3), { maxLength: 12 }), (kinds) => {
    // Some pages of a document may be equal.
    const pages = () => kinds.map((kind) => pageOf(ownWords(kind).join(' ')))
    const same = kinds.map((_, at) => `${at} ${at}`)
    return isDeepStrictEqual(shown(alignPages(pages(), pages())), same)
  })
  t.equal(counterexample(property), null)
})

t.test('an inserted page is the only one without a pair, and so is a removed one', async (t) => {
  const property = fc.property(placed, ([count, at]) => {
    const pages = distinct(count)
    const longer = inserted(pages, at, pageOf(ownWords(99).join(' ')))
    const [more, fewer] = [alignPages(pages, longer), alignPages(longer, pages)].map(unpaired)
    return isDeepStrictEqual(more, [{ to: at }]) && isDeepStrictEqual(fewer, [{ from: at }])
  })
  t.equal(counterexample(property), null)
})

t.test('an inserted page is found among pages that all have changed a little', async (t) => {
  const pageWith = (page: number, number: string) => pageOf([...ownWords(page), 'Page', number].join(' '))
  const property = fc.property(placed, ([count, at]) => {
    const pages = Array.from({ length: count }, (_, page) => pageWith(page, `${page + 1} of ${count}`))
    const longer = inserted([...pages.keys()], at, 99).map((page, index) =>
      pageWith(page, `${index + 1} of ${count + 1}`),
    )
    return isDeepStrictEqual(unpaired(alignPages(pages, longer)), [{ to: at }])
  })
  t.equal(counterexample(property), null)
})

t.test('of two pages that change places, one is removed and added', async (t) => {
  const swap = fc.integer({ min: 2, max: 12 }).chain((count) => fc.tuple(fc.constant(count), fc.nat(count - 2)))
  const property = fc.property(swap, ([count, at]) => {
    const pages = distinct(count)
    const swapped = [...pages.slice(0, at), ...pages.slice(at, at + 2).reverse(), ...pages.slice(at + 2)]
    const pairs = alignPages(pages, swapped)
    const isSame = ({ from, to }: PagePair) =>
      from === undefined || to === undefined || pages[from]?.digest === swapped[to]?.digest
    return pairs.length === count + 1 && unpaired(pairs).length === 2 && pairs.every(isSame)
  })
  t.equal(counterexample(property), null)
})

t.test(
  'pages that have nothing in common are pairs if there are as many, else they are removed and added',
  async (t) => {
    const count = fc.integer({ min: 1, max: 8 })
    const property = fc.property(count, count, (before, after) => {
      const pagesFrom = (first: number, length: number) =>
        Array.from({ length }, (_, at) => pageOf(ownWords(first + at).join(' ')))
      const from = pagesFrom(0, before)
      // Nor a dark cell.
      const to = pagesFrom(100, after).map((page) => ({ ...page, ink: new Float32Array(page.ink.length) }))
      const replaced = from.map((_, at) => `${at} ${at}`)
      const apart = [...from.map((_, at) => `${at} -`), ...to.map((_, at) => `- ${at}`)]
      return isDeepStrictEqual(shown(alignPages(from, to)), before === after ? replaced : apart)
    })
    t.equal(counterexample(property), null)
  },
)

t.test('a page that stayed the same is a pair, rather than two that are alike', async (t) => {
  const words = (first: number) => Array.from({ length: 20 }, (_, word) => `w${first + word}`).join(' ')
  // Each page has 17 of its 20 words in common with the next one.
  const [older, same, newer] = [words(0), words(3), words(6)].map(pageOf) as [PageLook, PageLook, PageLook]
  t.same(alignPages([older, same], [same, newer]), [{ from: 0 }, { from: 1, to: 0 }, { to: 1 }])
})

t.test('pages that have only a heading in common are no pair', async (t) => {
  t.same(shown(alignPages(distinct(1), distinct(2, 50))), ['0 -', '- 0', '- 1'])
})

t.test('whatever the pages are, each is there once, in order', async (t) => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 6 })
  const pages = fc.array(words, { maxLength: 8 }).map((all) => all.map((some) => pageOf(some.join(' '))))
  const property = fc.property(pages, pages, (from, to) => {
    const pairs = alignPages(from, to)
    const [older, newer] = [pairs.flatMap((pair) => pair.from ?? []), pairs.flatMap((pair) => pair.to ?? [])]
    return isDeepStrictEqual(older, [...from.keys()]) && isDeepStrictEqual(newer, [...to.keys()])
  })
  t.equal(counterexample(property), null)
})

t.test('in 200 pages, some are inserted and some removed', async (t) => {
  const pages = distinct(200)
  const changed = pages.filter((_, at) => ![0, 57, 58, 130].includes(at))
  changed.splice(20, 0, pageOf(ownWords(300).join(' ')))
  changed.splice(180, 0, pageOf(ownWords(301).join(' ')), pageOf(ownWords(302).join(' ')))
  const pairs = alignPages(pages, changed)
  t.same(
    unpaired(pairs).flatMap(({ from }) => from ?? []),
    [0, 57, 58, 130],
  )
  t.same(
    unpaired(pairs).flatMap(({ to }) => to ?? []),
    [20, 180, 181],
  )
})
