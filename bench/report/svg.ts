export const textColours = { text: '#1e293b', quiet: '#64748b' }

/** A text for the content of an element. */
export const escaped = (content: string): string => content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** A picture of parts in SVG, on white. */
export function svg(width: number, height: number, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif">
<rect width="100%" height="100%" fill="#fff"/>
${parts.join('\n')}
</svg>
`
}
