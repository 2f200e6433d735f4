import { CopyButton } from './copy-button.tsx'

interface CodeBlockProps {
  text: string
  /** What it is: `curl command`. */
  label: string
  /** Long lines are broken instead of scrolled. */
  wrap?: boolean
}

/** Text for programs in a box that scrolls, with a button that copies it. */
export function CodeBlock({ text, label, wrap = false }: CodeBlockProps) {
  return (
    <figure class="code-block" aria-label={label} data-wrap={wrap || undefined}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label={`Copy ${label}`} />
    </figure>
  )
}
