/** Keeps a value in a map as its newest one, and lets go of the oldest ones beyond `most`. */
export function keepNewest<Value>(
  map: Map<string, Value>,
  { key, value, most }: { key: string; value: Value; most: number },
  letGo: (value: Value) => void = () => {},
): void {
  map.delete(key)
  map.set(key, value)
  for (const [oldest, old] of map) {
    if (map.size <= most) break
    map.delete(oldest)
    letGo(old)
  }
}
