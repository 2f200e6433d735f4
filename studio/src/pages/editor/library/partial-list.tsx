import { Icon } from '../../../parts/icon.tsx'
import type { Inserter } from '../code/inserter.ts'
import type { Library } from '../model/library.ts'

/** The partials. A click writes a call at the cursor. */
export function PartialList({ library, inserter }: { library: Library; inserter: Inserter }) {
  const partials = library.partials.value
  if (partials.length === 0) {
    return <p class="editor-none">No partials yet. A partial is a fragment that several templates call by its name.</p>
  }
  return (
    <ul class="editor-partials">
      {partials.map(({ name, version }) => (
        <li key={name}>
          <button type="button" title={`Insert {{> ${name}}}`} onClick={() => inserter.insert(`{{> ${name}}}`)}>
            <Icon name="layers" />
            <code>{name}</code>
            <small>version {version}</small>
          </button>
        </li>
      ))}
    </ul>
  )
}
