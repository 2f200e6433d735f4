/** The document with its own address written into it, so that its relative addresses work wherever it is printed from. */
export function withBase(html: string, url: string): string {
  const own = /<base\s[^>]*href\s*=\s*["']?([^"'\s>]+)/i.exec(html)
  const base = `<base href="${new URL(own?.[1] ?? '', url)}">`
  const [opening = ''] =
    /^[\s\S]*?<head(?:\s[^>]*)?>/i.exec(html) ??
    /^[\s\S]*?<html(?:\s[^>]*)?>/i.exec(html) ??
    /^\s*<!doctype[^>]*>/i.exec(html) ??
    []
  return opening + base + html.slice(opening.length)
}
