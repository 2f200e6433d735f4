import { Icon } from '../../../parts/icon.tsx'
import { setQuery } from '../../../router/address.ts'
import type { Inserter } from '../code/inserter.ts'
import type { EditorModel } from '../model/editor-model.ts'
import { fieldTitles } from '../model/fields.ts'
import type { Place, Problem } from '../model/problem.ts'
import { tabOf } from '../model/tab-of.ts'

interface ProblemListProps {
  model: EditorModel
  problems: readonly Problem[]
  inserter: Inserter
}

/** Errors and warnings. One that has a place leads to it. */
export function ProblemList({ model, problems, inserter }: ProblemListProps) {
  if (problems.length === 0) return <p class="editor-none">No errors, no warnings, and no missing values.</p>
  const show = (place: Place) => {
    const { document } = place
    if (document.startsWith('samples/')) model.set.value = document.slice('samples/'.length)
    if (document === 'sample_data') model.set.value = ''
    setQuery({ tab: tabOf(document), as: '', pane: '' })
    inserter.goTo(place)
  }
  return (
    <ul class="editor-problems">
      {problems.map((problem, index) => (
        <li key={index}>
          <Line problem={problem} onShow={show} />
        </li>
      ))}
    </ul>
  )
}

function Line({ problem, onShow }: { problem: Problem; onShow(place: Place): void }) {
  const { severity, text, place, code } = problem
  const content = (
    <>
      <Icon name={severity === 'error' ? 'circle-alert' : 'triangle-alert'} label={severity} />
      <span>
        {text} {code === 'MISSING_VALUE' && <small>missing value</small>}
      </span>
      {place && <small class="editor-place">{placeText(place)}</small>}
    </>
  )
  if (place === undefined) return <div class={`editor-problem ${severity}`}>{content}</div>
  return (
    <button type="button" class={`editor-problem ${severity}`} onClick={() => onShow(place)}>
      {content}
    </button>
  )
}

function placeText({ document, line }: Place): string {
  const title = document.startsWith('samples/') ? document.slice('samples/'.length) : titles[document]
  return `${title ?? document}:${line}`
}

const titles: Readonly<Record<string, string>> = fieldTitles
