import { useSignal } from '@preact/signals'
import { count } from '../../../parts/format.ts'
import { Icon } from '../../../parts/icon.tsx'
import { ProblemLine } from '../library/problem-list.tsx'
import type { Place, Problem } from '../model/problem.ts'

interface PageNotesProps {
  page: number
  /** The warnings that are about the page. */
  problems: readonly Problem[]
  onShow(place: Place): void
}

/** Beside a page of the preview: its warnings. */
export function PageNotes({ page, problems, onShow }: PageNotesProps) {
  const isOpen = useSignal(false)
  if (problems.length === 0) return null
  const close = () => {
    isOpen.value = false
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes what the button has opened
    <div
      class="editor-notes"
      onKeyDown={(event) => {
        if (event.key === 'Escape') close()
      }}
    >
      <button
        type="button"
        class="editor-note"
        aria-expanded={isOpen.value}
        aria-label={`${count(problems.length, 'warning')} on page ${page}`}
        title={`${count(problems.length, 'warning')} on page ${page}`}
        onClick={() => {
          isOpen.value = !isOpen.value
        }}
      >
        <Icon name="triangle-alert" />
      </button>
      {isOpen.value && (
        <ul class="editor-problems">
          {problems.map(({ page: _, ...problem }, index) => (
            <li key={index}>
              <ProblemLine
                problem={problem}
                onShow={(place) => {
                  close()
                  onShow(place)
                }}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
