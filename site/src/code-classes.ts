import { createHash } from 'node:crypto'
import type { MarkdownOptions } from 'vitepress'

type ShikiTransformer = NonNullable<MarkdownOptions['codeTransformers']>[number]

/** The colours of code as classes: the policy of the site allows no style in an element. */
export class CodeClasses {
  readonly #styles = new Map<string, string>()

  readonly transformer: ShikiTransformer = {
    name: 'code-classes',
    // Shiki gives up on a line after half a second: on a busy machine, code would have other colours than elsewhere.
    preprocess: (_code, options) => {
      options.tokenizeTimeLimit = 0
    },
    span: (node) => {
      const { style, class: names = '' } = node.properties
      if (typeof style !== 'string') return
      const name = `c${createHash('sha256').update(style).digest('hex').slice(0, 6)}`
      this.#styles.set(name, style)
      node.properties = { ...node.properties, class: `${names} ${name}`.trim() }
      delete node.properties.style
    },
  }

  css(): string {
    const rules = [...this.#styles].map(([name, style]) => `.${name}{${style}}\n`)
    return rules.sort().join('')
  }
}
