/** About as many characters as the value has as JSON. Without recursion, as events of other engines have any number of levels. */
export function charsOf(value: unknown): number {
  const waiting = [value]
  let chars = 0
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next === 'string') chars += next.length
    else chars += 8
    if (typeof next !== 'object' || next === null) continue
    for (const name in next) {
      chars += name.length
      waiting.push(Reflect.get(next, name))
    }
  }
  return chars
}
