/**
 * A free number from 1 whose predecessor is taken, if any number is. It is the first free one as long as no number was
 * freed. It asks about twice the logarithm of their count, because thousands of templates may have one name.
 */
export async function firstFree(isFree: (number: number) => Promise<boolean>): Promise<number> {
  let free = 1
  while (!(await isFree(free))) free *= 2
  let taken = Math.floor(free / 2)
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2)
    if (await isFree(middle)) free = middle
    else taken = middle
  }
  return free
}
