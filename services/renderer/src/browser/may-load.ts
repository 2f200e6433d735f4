/**
 * Whether a document may refer to something that takes time to arrive, its own data included: images, styles, fonts. It
 * errs to yes, which costs the browser a moment's wait.
 */
export function mayLoad(html: string): boolean {
  return telling.test(html)
}

const telling = new RegExp(
  [
    '\\bsrc|image-set|@import|@font-face',
    // But for what is in the document itself.
    'url\\s*\\((?!\\s*["\']?#)',
    '<(?:[\\w-]+:)?(?:link|image|use|feimage)\\b|\\b(?:background|poster)\\s*=',
    // Whatever a style may have escaped, or an attribute may have as a reference.
    '\\\\|&#(?!(?:39|34|x27|160|x3d|x60);)',
  ].join('|'),
  'i',
)
