import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../../../parts/button.tsx'
import type { Language } from '../../../parts/code/languages.ts'
import { type MergeOptions, type OpenedMerge, openMergeView } from '../code/merge-view.ts'
import {
  type Choice,
  type Clash,
  choices,
  isClash,
  isOpen,
  mergedText,
  type TextMerge,
  wholeText,
} from './text-merge.ts'

interface MergedTextProps {
  theirs: string
  mine: string
  /** As it was merged, before anything was chosen. */
  first: TextMerge
  merge: TextMerge
  version: number
  language: Language
  onChange(merge: TextMerge): void
}

const choiceTitles: Readonly<Record<Choice, string>> = { theirs: 'Theirs', mine: 'Mine', both: 'Both' }

export const toBeChosen = 'Choose for each place that both have changed'

export const adviceOn = (merges: readonly TextMerge[]): string =>
  merges.some(({ parts }) => parts.some(isClash))
    ? `${toBeChosen}. The right side is what will be saved.`
    : 'You and somebody else have changed different things. The right side, with both, is what will be saved.'

/** What both have changed, to be chosen from. Below it their text beside the one that will be saved. */
export function MergedText({ theirs, mine, first, merge, version, language, onChange }: MergedTextProps) {
  const choose = (at: number, choice: Choice) => onChange({ ...merge, chosen: { ...merge.chosen, [at]: choice } })
  const clashes = merge.edited === undefined ? [...merge.parts.entries()] : []
  const mayEdit = !isOpen(merge)
  return (
    <>
      <div class="button-row">
        <Button icon="arrow-right" onClick={() => onChange(wholeText(theirs))}>
          Take theirs
        </Button>
        <Button icon="rotate-ccw" onClick={() => onChange(wholeText(mine))}>
          Take mine
        </Button>
        <Button onClick={() => onChange(first)}>Merge again</Button>
      </div>
      {clashes.map(
        ([at, part]) =>
          isClash(part) && (
            <ClashChoice
              key={at}
              clash={part}
              language={language}
              chosen={merge.chosen[at]}
              onChoose={(choice) => choose(at, choice)}
            />
          ),
      )}
      <MergePane
        key={String(mayEdit)}
        theirs={theirs}
        version={version}
        language={language}
        mayEdit={mayEdit}
        result={mergedText(merge)}
        onChange={(edited) => onChange({ ...merge, edited })}
      />
    </>
  )
}

interface ClashChoiceProps {
  clash: Clash
  chosen: Choice | undefined
  language: Language
  onChoose(choice: Choice): void
}

function ClashChoice({ clash, chosen, language, onChoose }: ClashChoiceProps) {
  // Both of two JSON values are none.
  const offered = choices.filter((choice) => choice !== 'both' || language !== 'json')
  return (
    <fieldset class="editor-clash" data-open={chosen === undefined || undefined}>
      <legend>Both have changed this</legend>
      {(['theirs', 'mine'] as const).map((side) => (
        <pre key={side} data-side={side}>
          {clash[side] === '' ? <i>removed</i> : clash[side]}
        </pre>
      ))}
      <div class="button-row">
        {offered.map((choice) => (
          <Button key={choice} aria-pressed={choice === chosen} onClick={() => onChoose(choice)}>
            {choiceTitles[choice]}
          </Button>
        ))}
      </div>
    </fieldset>
  )
}

/** Their text beside the one that will be saved, with the differences. An arrow takes one over. */
function MergePane({ theirs, result, version, language, mayEdit, onChange }: MergeOptions) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<OpenedMerge>(undefined)
  const changed = useRef(onChange)
  changed.current = onChange
  useEffect(() => {
    if (host.current === null) return
    const options = { theirs, result, version, language, mayEdit, onChange: (text: string) => changed.current(text) }
    const opened = openMergeView(host.current, options)
    view.current = opened
    return () => opened.destroy()
  }, [])
  useEffect(() => view.current?.setResult(result), [result])
  return (
    <div class="editor-merge">
      <div class="editor-merge-heads">
        <span>Theirs, version {version}</span>
        <span>To be saved</span>
      </div>
      <div ref={host} class="editor-merge-view" />
    </div>
  )
}
