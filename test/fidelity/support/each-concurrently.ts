/** Works on some of the items at a time, in their order. Rejects with the first failure. */
export async function eachConcurrently<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values()
  const takeAll = async () => {
    for (const item of rest) await work(item)
  }
  await Promise.all(Array.from({ length: concurrency }, takeAll))
}
