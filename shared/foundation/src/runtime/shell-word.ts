/** The text as one word of a POSIX shell, in single quotes if it has a character that the shell may take for something else. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
