/** Works on the items in order, with limited concurrency. */
export async function inParallel<Item>(
  items: Iterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<void>,
) {
  const waiting = items[Symbol.iterator]()
  const worker = async () => {
    for (const item of { [Symbol.iterator]: () => waiting }) await work(item)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}
