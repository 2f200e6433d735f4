/**
 * A message for subscribers. URLs in it lose user names, passwords, queries and fragments, where signatures and tokens are:
 * `https://host/logo.png?sig=1: not found` becomes `https://host/logo.png?…: not found`.
 */
export function redactUrls(text: string): string {
  return text
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#"'<>]*@/gi, '$1')
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/[^\s?#"'<>]*)([?#])[^\s"'<>]*?(?=:?(?:\s|$|["'<>]))/gi, '$1$2…')
}
