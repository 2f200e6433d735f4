import type { PageScripts } from '../contract.ts'

/** Calls no methods of the document, which may have replaced them. A thrown value may be a text of any length. */
export const describeThrown: PageScripts['describeThrown'] = (thrown, maxChars) => {
  try {
    const whole = `${thrown}`
    let start = ''
    for (let i = 0; i < maxChars && i < whole.length; i++) start += whole[i]
    return start
  } catch {
    return 'an error without a message'
  }
}
