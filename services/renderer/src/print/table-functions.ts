/** Functions for the isolated world, which need `domFunctions`. They are for printing tables in parts and in slices. */
export const tableFunctions = `
  const set = (element, styles) => {
    for (const [name, value] of Object.entries(styles)) get(element, 'style').setProperty(name, value, 'important')
  }
  /** Drawn around or behind the whole table, or by a size that its rows share. */
  const isDrawnWhole = (table, style) => {
    const specified = table.computedStyleMap()
    return style.backgroundImage !== 'none' || style.boxShadow !== 'none' || style.outlineStyle !== 'none' || style.transform !== 'none' ||
      style.filter !== 'none' || style.clipPath !== 'none' || style.maskImage !== 'none' || parseFloat(style.borderTopLeftRadius) > 0 ||
      style.writingMode !== 'horizontal-tb' || (table.currentCSSZoom ?? 1) !== 1 || String(specified.get('height')) !== 'auto' ||
      !/^(auto|0px|0%)$/.test(String(specified.get('min-height'))) || hasContent(table)
  }
  const hasContent = (element) =>
    ['::before', '::after'].some((pseudo) => !/^(none|normal)$/.test(getComputedStyle(element, pseudo).content))
  /** Columns are replaced. */
  const isPlainColumn = (column) => {
    const style = getComputedStyle(column)
    return style.backgroundColor === 'rgba(0, 0, 0, 0)' && style.backgroundImage === 'none' && style.visibility !== 'collapse' &&
      ['Top', 'Right', 'Bottom', 'Left'].every((side) => style['border' + side + 'Style'] === 'none')
  }
  // The content width of the parent. clientWidth of the body is that of the window in a document without a doctype.
  const availableWidth = ({ parentElement }) => {
    const style = getComputedStyle(parentElement)
    const edges = ['paddingLeft', 'paddingRight', 'borderLeftWidth', 'borderRightWidth']
    return edges.reduce((width, edge) => width - parseFloat(style[edge]), call(parentElement, 'getBoundingClientRect').width)
  }
`
