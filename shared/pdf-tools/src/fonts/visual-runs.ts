/** Characters of one direction and one script, which are shaped together. */
export interface TextRun {
  text: string
  isRightToLeft: boolean
}

interface Character {
  text: string
  level: number
  script: string
}

/** Scripts whose letters depend on those beside them: they are not shaped together with letters of others. */
const shapedScripts = [
  ...[
    'Arabic',
    'Hebrew',
    'Syriac',
    'Thaana',
    'Nko',
    'Adlam',
    'Mongolian',
    'Thai',
    'Lao',
    'Khmer',
    'Myanmar',
    'Tibetan',
  ],
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala'],
].map((script) => [script, new RegExp(`\\p{Script=${script}}`, 'u')] as const)
const common = /[\p{Script=Common}\p{Script=Inherited}]/u
const rightToLeftScripts = new Set(['Arabic', 'Hebrew', 'Syriac', 'Thaana', 'Nko', 'Adlam'])
const letter = /[\p{L}\p{M}\p{So}]/u
const digit = /\p{Nd}/u
const numberPart = /[\p{Sc}%+\-−.,:/]/u

/**
 * The runs of a line from left to right. It is the Unicode Bidirectional Algorithm (UAX #9) for text without formatting characters:
 * the first letter gives the direction of the line, numbers run from left to right, and what is between two letters of a direction
 * has it, too.
 */
export function visualRuns(line: string): TextRun[] {
  const characters = [...line]
  const scripts = scriptsOf(characters)
  const levels = levelsOf(characters, scripts)
  const runs: Character[] = []
  for (const [at, text] of characters.entries()) {
    const [level = 0, script = ''] = [levels[at], scripts[at]]
    const last = runs.at(-1)
    if (last && last.level === level && last.script === script) last.text += text
    else runs.push({ text, level, script })
  }
  return reordered(runs).map(({ text, level }) => ({ text, isRightToLeft: level % 2 === 1 }))
}

/** Of each character; those of all scripts have that of the one before them. */
function scriptsOf(characters: readonly string[]): string[] {
  let current = ''
  return characters.map((character) => {
    if (common.test(character)) return current
    current = shapedScripts.find(([, pattern]) => pattern.test(character))?.[0] ?? ''
    return current
  })
}

type Kind = 'left' | 'right' | 'number' | 'neutral'

/** Even levels run from left to right. */
function levelsOf(characters: readonly string[], scripts: readonly string[]): number[] {
  const kinds = characters.map((character, at): Kind => {
    if (digit.test(character)) return 'number'
    if (!letter.test(character)) return 'neutral'
    return rightToLeftScripts.has(scripts[at] ?? '') ? 'right' : 'left'
  })
  const base = kinds.find((kind) => kind === 'left' || kind === 'right') === 'right' ? 1 : 0
  for (const [at, character] of characters.entries()) {
    if (kinds[at] !== 'neutral' || !numberPart.test(character)) continue
    const isSign = /[\p{Sc}%]/u.test(character)
    const [before, after] = [kinds[at - 1] === 'number', kinds[at + 1] === 'number']
    if (isSign ? before || after : before && after) kinds[at] = 'number'
  }
  // Numbers after letters from left to right are like these (W7).
  let strong: Kind = base === 1 ? 'right' : 'left'
  const own = kinds.map((kind) => {
    if (kind === 'left' || kind === 'right') strong = kind
    return kind === 'number' && strong === 'left' ? 'left' : kind
  })
  return own.map((kind, at) => {
    if (kind === 'left') return base === 1 ? 2 : 0
    if (kind === 'right') return 1
    if (kind === 'number') return 2
    const [before, after] = [sideOf(own.slice(0, at).reverse(), base), sideOf(own.slice(at + 1), base)]
    if (before !== after) return base
    return before === 1 ? 1 : base === 1 ? 2 : 0
  })
}

/** The direction of the first character that has one (N1); numbers count as from right to left. */
function sideOf(kinds: readonly Kind[], base: number): number {
  const kind = kinds.find((each) => each !== 'neutral')
  return kind === undefined ? base : kind === 'left' ? 0 : 1
}

/** From the highest level to the lowest odd one, sequences of at least this level are reversed (L2). */
function reordered(runs: readonly Character[]): Character[] {
  const order = [...runs]
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level >= 1; level--) {
    for (let from = 0; from < order.length; from++) {
      let to = from
      while (to < order.length && (order[to]?.level ?? 0) >= level) to++
      if (to > from) order.splice(from, to - from, ...order.slice(from, to).reverse())
      from = Math.max(from, to)
    }
  }
  return order
}
