/** Takes on each item in turn, a few at once. */
export async function inParallel<Item>(items: Iterable<Item>, hands: number, work: (item: Item) => Promise<void>) {
  const waiting = items[Symbol.iterator]()
  const hand = async () => {
    for (const item of { [Symbol.iterator]: () => waiting }) await work(item)
  }
  await Promise.all(Array.from({ length: hands }, hand))
}
