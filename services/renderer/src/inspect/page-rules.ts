const properties = ['size', 'margin', 'margin-top', 'margin-right', 'margin-bottom', 'margin-left'] as const

/** The declarations of a document's `@page` rules without a name. Values are as written, without comments and extra spaces. */
export type PageRules = Partial<Record<(typeof properties)[number], string>>

/** A later declaration replaces an earlier one, and `margin` those of the four sides. */
export function addPageDeclaration(rules: PageRules, property: string, value: string): void {
  const known = properties.find((name) => name === property)
  const [declared = ''] = withoutComments(value).split('!', 1)
  const text = declared.replaceAll(/\s+/g, ' ').trim()
  if (known === undefined || text === '') return
  if (known === 'margin') for (const name of properties) if (name.startsWith('margin')) delete rules[name]
  rules[known] = text
}

/** Replaces each comment with a space. */
export function withoutComments(css: string): string {
  const [first = '', ...others] = css.split('/*')
  return [first, ...others.map(afterComment)].join(' ')
}

function afterComment(css: string): string {
  const end = css.indexOf('*/')
  return end === -1 ? '' : css.slice(end + 2)
}
