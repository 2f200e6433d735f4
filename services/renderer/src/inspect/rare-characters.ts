import { decodeHTML } from 'entities/decode'

/** Latin letters and usual punctuation, as part of a character class: what every installation can print. */
const ordinaryCharacters = '\\0-\\u024f\\u2010-\\u2015\\u2018-\\u201e\\u2020-\\u2022\\u2026\\u20ac\\u2122'

const rare = new RegExp(`[^${ordinaryCharacters}]`)

export const hasRareCharacters = (text: string) => rare.test(text)

/** Whether characters other than the ordinary ones are in the text or attributes of a document. */
export function mayShowRareCharacters(html: string): boolean {
  return hasRareCharacters(html) || (html.includes('&') && hasRareCharacters(decodeHTML(html)))
}
