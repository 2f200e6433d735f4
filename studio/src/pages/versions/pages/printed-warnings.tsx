import { count } from '../../../parts/format.ts'
import { Icon } from '../../../parts/icon.tsx'
import { Summary } from '../../../parts/summary.tsx'
import type { PrintedPages } from './load-pages.ts'

interface PrintedWarningsProps {
  from: number
  to: number
  printed: PrintedPages['printed']
}

/** The warnings of both documents, if there are any. */
export function PrintedWarnings({ from, to, printed }: PrintedWarningsProps) {
  const documents = [
    { version: from, warnings: printed.from.warnings },
    { version: to, warnings: printed.to.warnings },
  ].filter(({ warnings }) => warnings.length > 0)
  if (documents.length === 0) return null
  return documents.map(({ version, warnings }) => (
    <details key={version} class="versions-warnings">
      <Summary>
        <Icon name="triangle-alert" />
        {count(warnings.length, 'warning')} in version {version}
      </Summary>
      <ul>
        {warnings.map(({ code, message }) => (
          <li key={`${code} ${message}`}>
            <code>{code}</code> {message}
          </li>
        ))}
      </ul>
    </details>
  ))
}
