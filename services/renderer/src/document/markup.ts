/**
 * A document without the contents of its data URIs: pictures and fonts are nine tenths of a large one, and what decides
 * how it is printed is never in them. For looking at, not for printing.
 */
export function markupOf(html: string): string {
  return html.includes(';base64,') ? html.replace(/(data:[\w.+/;=-]{0,100};base64,)[^"')<>\s]+/gi, '$1') : html
}
