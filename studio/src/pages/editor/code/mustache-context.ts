/** A block that is open at the cursor: `{{#each items as |item|}}`. */
export interface OpenBlock {
  name: string
  path: string
  /** The names after `as`. */
  names: readonly string[]
}

/** Where in a mustache the cursor is. */
export interface MustacheContext {
  /** `name`: a helper or a path can begin here. `block`: after `#`. `close`: after `/`. */
  kind: 'name' | 'argument' | 'block' | 'close' | 'partial'
  /** What is typed of it. */
  word: string
  /** The helper of the call around an argument. */
  helper: string | undefined
  blocks: readonly OpenBlock[]
}

const tags = /\{\{~?\s*(?:(#\*?|\^|\/)\s*([\w-]+)([^}]*)|(?:!--[\s\S]*?--|![^}]*))~?\}\}/g

/** The mustache at the end of a text; undefined if the end is in none. */
export function mustacheAt(before: string): MustacheContext | undefined {
  const open = before.lastIndexOf('{{')
  if (open === -1 || before.indexOf('}}', open) !== -1) return undefined
  const inside = before.slice(open).replace(/^\{\{\{?~?\s*/, '')
  const isText = (inside.match(/"/g)?.length ?? 0) % 2 === 1
  if (inside.startsWith('!') || isText) return undefined
  const blocks = openBlocks(before.slice(0, open))
  const [word = ''] = /[@\w./-]*$/.exec(inside) ?? []
  const lead = inside.slice(0, inside.length - word.length)
  if (/^>\s*$/.test(lead)) return { kind: 'partial', word, helper: undefined, blocks }
  if (inside.startsWith('/')) return { kind: 'close', word: inside.slice(1), helper: undefined, blocks }
  if (/^#\s*$/.test(lead)) return { kind: 'block', word, helper: undefined, blocks }
  if (lead === '' || lead === '&' || /\(\s*$/.test(lead)) return { kind: 'name', word, helper: undefined, blocks }
  const [, helper] = /(?:^#?\s*|\()([\w-]+)[^()]*$/.exec(lead) ?? []
  return { kind: 'argument', word, helper, blocks }
}

function openBlocks(text: string): OpenBlock[] {
  const blocks: OpenBlock[] = []
  for (const [, sign, name = '', rest = ''] of text.matchAll(tags)) {
    if (sign === '/') blocks.pop()
    else if (sign === '#') {
      const [, names = ''] = /\bas\s*\|([^|]*)\|/.exec(rest) ?? []
      const [path = ''] = rest.trim().split(/\s+/)
      blocks.push({ name, path, names: names.split(/\s+/).filter((one) => one !== '') })
    } else if (sign === '#*' || sign === '^') blocks.push({ name, path: '', names: [] })
  }
  return blocks
}
