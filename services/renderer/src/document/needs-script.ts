/**
 * Whether a document could need script, or something else that a reused page without script is not for. It errs to
 * yes: a wrong yes costs time, a wrong no the work of a script that did not run (but never isolation, which is the
 * engine's).
 */
export function needsScript(html: string): boolean {
  return tells(html) || (html.includes('&') && tells(decodeReferences(html)))
}

/** Documents in the document: what is switched off for the page may be on in them. */
export function hasFrames(html: string): boolean {
  return frames.test(html)
}

/** Whether something in the head would hold for the next document on the same page: any `<meta>` but a charset. */
export function stains(html: string): boolean {
  const metas = html.match(/<meta/gi)?.length ?? 0
  const charsets = metas === 0 ? 0 : (html.match(/<meta\s+charset\s*=\s*(["']?)[\w-]+\1\s*\/?>/gi)?.length ?? 0)
  return metas > charsets || /autofocus/i.test(html)
}

const tells = (html: string) => telling.some((pattern) => pattern.test(html))

const frames = /<(?:iframe|frame|object|embed|applet|portal|fencedframe)/i

/** Addresses may be spread over lines and padded with control characters. */
const spread = (word: string) => [...word].join('[\\0- \\u007f-\\u00a0\\u00ad\\u200b-\\u200f\\ufeff]*')

const telling = [
  // `<script`, `<svg:script`, and what a reader without script is shown instead.
  /<(?:[\w-]+:)?(?:no)?script/i,
  frames,
  // An event attribute: anything that begins with on, wherever an attribute may begin.
  /[\s"'/]on[a-z]+\s*=/i,
  new RegExp(`${spread('script:')}|data:text/html`, 'i'),
  // What moves by itself, which a page without animation frames does not show as its author saw it.
  /<(?:[\w-]+:)?(?:animate|set|discard|marquee)|@(?:-webkit-)?keyframes/i,
  // A document that goes elsewhere.
  /http-equiv\s*=\s*["']?\s*refresh/i,
  // A style that asks whether scripts run.
  /\(\s*scripting\b/i,
]

const named: Record<string, string> = { tab: '\t', newline: '\n', colon: ':', sol: '/', equals: '=' }
const references = /&(?:#x([\da-f]{1,8})|#(\d{1,9})|(tab|newline|colon|sol|equals));?/gi

function decodeReferences(html: string): string {
  return html.replace(references, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return named[name.toLowerCase()] ?? whole
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
