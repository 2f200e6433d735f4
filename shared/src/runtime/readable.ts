const maxChars = 100

/**
 * A name of a caller as error messages show it: cut to 100 characters, and in quotes if it is empty, begins or ends with a
 * space, or has control characters.
 */
export function readable(name: string): string {
  const text = name.length > maxChars ? `${name.slice(0, maxChars)}…` : name
  return text.trim() !== text || /^$|\p{Cc}/u.test(text) ? JSON.stringify(text) : text.toWellFormed()
}
