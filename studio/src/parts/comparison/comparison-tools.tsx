import type { ComponentChildren } from 'preact'
import { Button } from '../button.tsx'

interface ComparisonToolsProps {
  /** How many pages differ, once it is known. */
  figure: string | undefined
  title?: string | undefined
  onCopyAsCurl(): void
  /** Further buttons. */
  children?: ComponentChildren
}

/** Above the compared pages: the result in a line, and what can be done with the comparison. */
export function ComparisonTools({ figure, title, onCopyAsCurl, children }: ComparisonToolsProps) {
  return (
    <div class="comparison-tools">
      <p class="comparison-figure" role="status" title={title}>
        {figure}
      </p>
      <span class="space" />
      {children}
      <Button icon="square-terminal" onClick={onCopyAsCurl}>
        Copy as curl
      </Button>
    </div>
  )
}
