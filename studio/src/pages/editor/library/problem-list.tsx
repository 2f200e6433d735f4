import { Icon } from '../../../parts/icon.tsx'
import type { Inserter } from '../code/inserter.ts'
import { partialOf, setOf } from '../model/documents.ts'
import type { EditorModel } from '../model/editor-model.ts'
import { fieldTitles } from '../model/fields.ts'
import type { Place, Problem } from '../model/problem.ts'
import { showPlace } from './show-place.ts'

interface ProblemListProps {
  model: EditorModel
  problems: readonly Problem[]
  inserter: Inserter
}

/** Errors and warnings. One that has a place leads to it. */
export function ProblemList({ model, problems, inserter }: ProblemListProps) {
  if (problems.length === 0) return <p class="editor-none">No errors, no warnings, and no missing values.</p>
  return (
    <ul class="editor-problems">
      {problems.map((problem, index) => (
        <li key={index}>
          <ProblemLine problem={problem} onShow={(place) => showPlace(model, inserter, place)} />
        </li>
      ))}
    </ul>
  )
}

export function ProblemLine({ problem, onShow }: { problem: Problem; onShow(place: Place): void }) {
  const { severity, text, place, code, page } = problem
  const content = (
    <>
      <Icon name={severity === 'error' ? 'circle-alert' : 'triangle-alert'} label={severity} />
      <span>
        {text} {code === 'MISSING_VALUE' && <small>missing value</small>}
      </span>
      {page !== undefined && <small class="editor-place">page {page}</small>}
      {place && <small class="editor-place">{placeText(place)}</small>}
    </>
  )
  if (place === undefined) return <div class={`option editor-problem ${severity}`}>{content}</div>
  return (
    <button type="button" class={`option editor-problem ${severity}`} onClick={() => onShow(place)}>
      {content}
    </button>
  )
}

function placeText({ document, line }: Place): string {
  const title = setOf(document) ?? partialOf(document) ?? titles[document]
  return `${title ?? document}:${line}`
}

const titles: Readonly<Record<string, string>> = fieldTitles
