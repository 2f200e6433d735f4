/**
 * Where a value of a JSON text is, from 1: of `items[1].price` the line of that key. If the text has no such value, where the object is
 * that lacks it. The text must be JSON.
 */
export function placeOfPath(text: string, path: string): { line: number; column: number } {
  let at = 0
  let found = 0
  for (const key of keysOf(path)) {
    const start = startOf(text, at, key)
    if (start === undefined) break
    found = start.shown
    at = start.value
  }
  const before = text.slice(0, found).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

const keysOf = (path: string) =>
  Array.from(path.matchAll(/\[(\d+)\]|([^.[\]]+)/g), ([, index, name = '']) =>
    index === undefined ? name : Number(index),
  )

/** Of the object or list at a place: where the value of a key begins, and what is shown for it. */
function startOf(text: string, at: number, key: string | number): { shown: number; value: number } | undefined {
  const tokens = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/g
  tokens.lastIndex = at
  const open = tokens.exec(text)
  if (open?.[0] !== (typeof key === 'number' ? '[' : '{')) return undefined
  let depth = 0
  let index = 0
  let name: { text: string; at: number } | undefined
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    const [word] = token
    if (depth === 0) {
      if (word === ']' || word === '}') return undefined
      if (typeof key === 'number' && word !== ',' && index === key) return { shown: token.index, value: token.index }
      if (name !== undefined && word !== ':') {
        if (JSON.parse(name.text) === key) return { shown: name.at, value: token.index }
        name = undefined
      } else if (name === undefined && word.startsWith('"')) name = { text: word, at: token.index }
      if (word === ',') {
        index++
        name = undefined
      }
    }
    if (word === '{' || word === '[') depth++
    else if (word === '}' || word === ']') depth--
  }
  return undefined
}
