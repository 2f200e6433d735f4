/**
 * Names of fields, each used once. A full name consists of partial names with periods between them, and a field with a value
 * has none below it (ISO 32000-2, 12.7.4.2).
 */
export class FieldNames {
  readonly #fields = new Set<string>()
  readonly #groups = new Set<string>()
  /** How many names were in use, with the first such name and what it has become. */
  renamed = 0
  example: readonly [wanted: string, used: string] | undefined

  /** The name, or the name with a number as in merged PDFs. An input without a name gets one. */
  add(wanted: string): string {
    const cleaned = cleanName(wanted)
    const whole = cleaned === '' ? 'field' : cleaned
    // "a.b" cannot be below a field "a".
    const base = parentsOf(whole).some((parent) => this.#fields.has(parent)) ? whole.replaceAll('.', '_') : whole
    let unused = base
    for (let number = 1; this.#fields.has(unused) || this.#groups.has(unused); number++) unused = `${base}+${number}`
    this.#fields.add(unused)
    for (const parent of parentsOf(unused)) this.#groups.add(parent)
    if (cleaned !== '' && unused !== cleaned) {
      this.renamed += 1
      this.example ??= [cleaned, unused]
    }
    return unused
  }
}

const cleanName = (name: string) =>
  name
    .replace(/[\p{Cc}]/gu, '')
    .split('.')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('.')

/** `a` and `a.b` for `a.b.c`. */
function parentsOf(name: string): string[] {
  const parts = name.split('.')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('.'))
}
