import type { Schemas } from '../../api/client.ts'
import { count } from '../../parts/format.ts'

type Warning = Schemas['Warning']

/** What did not make the generation fail, and where it is. */
export function WarningList({ warnings }: { warnings: readonly Warning[] }) {
  return (
    <section aria-labelledby="generation-warnings" class="generations-section">
      <h2 id="generation-warnings">{count(warnings.length, 'warning')}</h2>
      <ul class="generations-warning-list">
        {warnings.map((warning, at) => (
          <li key={at}>
            <p>{warning.message}</p>
            <p class="generations-place">
              <code>{warning.code}</code> {placeOf(warning)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function placeOf({ element, source, line, column, path }: Warning): string {
  const lines = line === undefined ? [] : [`line ${line}${column === undefined ? '' : `:${column}`}`]
  return [element, path, source, ...lines].filter((part) => part !== undefined).join(' · ')
}
