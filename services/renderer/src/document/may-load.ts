/**
 * Whether a document may refer to something that takes time to arrive, its own data included: images, styles, fonts. It
 * errs to yes, which costs the browser a moment's wait.
 */
export function mayLoad(markup: string): boolean {
  return loading.test(markup)
}

/** Whether some of that may lie outside of the document. */
export function mayFetch(markup: string): boolean {
  return fetching.test(markup)
}

const inside = '\\s*["\']?#'
const insideOrData = '\\s*["\']?(?:#|data:)'

const references = (harmless: string) => [
  `url\\s*\\((?!${harmless})`,
  'srcset|image-set|@import',
  '<(?:[\\w-]+:)?(?:link|image|use|feimage)\\b|\\b(?:background|poster)\\s*=',
  // Whatever a style may have escaped, or an attribute may have as a reference.
  '\\\\|&#(?!(?:39|34|x27|160|x3d|x60);)',
]
const loading = new RegExp([...references(inside), '\\bsrc|@font-face'].join('|'), 'i')
const fetching = new RegExp([...references(insideOrData), `\\bsrc\\s*=(?!${insideOrData})`].join('|'), 'i')
