/** Texts by language tag and key. */
export type Dictionaries = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The text of a key, and what is wrong if it is not in the language. */
export interface Translation {
  text: string
  problem?: string
}

/**
 * The text of a key in the language of the locale: for `de-AT`, `de-AT` and `de` are tried. A missing key has the text
 * of the first other language that has it, else the key itself.
 */
export function translated(dictionaries: Dictionaries | undefined, locale: string, key: string): Translation {
  const languages = Object.keys(dictionaries ?? {})
  if (!dictionaries || languages.length === 0) {
    return { text: key, problem: 'is not translated: the template has no translations' }
  }
  for (let tag = locale; tag !== ''; tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))) {
    const language = languages.find((name) => name.toLowerCase() === tag.toLowerCase())
    const text = language === undefined ? undefined : textIn(dictionaries, language, key)
    if (text !== undefined) return { text }
  }
  const other = languages.find((name) => textIn(dictionaries, name, key) !== undefined)
  if (other === undefined)
    return { text: key, problem: `is not in the translations, which are in ${languages.join(', ')}` }
  return {
    text: textIn(dictionaries, other, key) ?? key,
    problem: `is not translated to ${locale}; the text of ${other} is printed`,
  }
}

function textIn(dictionaries: Dictionaries, language: string, key: string): string | undefined {
  const dictionary = dictionaries[language]
  return dictionary && Object.hasOwn(dictionary, key) ? dictionary[key] : undefined
}
