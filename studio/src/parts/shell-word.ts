/** A word of a command for a shell (POSIX), without quotes if the shell takes it as it is. */
export function shellWord(text: string): string {
  return /^[\w.,:/=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
