const maxChars = 100
/** Generated API keys; shorter texts are not accepted as keys. */
const apiKey = /pk_[0-9A-Za-z_-]{16,}/g

/**
 * A name of a caller as error messages show it: without API keys, cut to 100 characters, and in quotes if it is empty, begins
 * or ends with a space, or has control characters.
 */
export function readable(name: string): string {
  const shown = name.replace(apiKey, '[redacted]')
  const text = shown.length > maxChars ? `${shown.slice(0, maxChars)}…` : shown
  return text.trim() !== text || /^$|\p{Cc}/u.test(text) ? withoutControls(JSON.stringify(text)) : text.toWellFormed()
}

/** Control characters as JSON escapes them, and those that it does not escape. */
export function withoutControls(text: string): string {
  return text.replace(/\p{Cc}/gu, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).toWellFormed()
}
