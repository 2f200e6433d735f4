import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { Badge } from '../../../parts/badge.tsx'
import { Button } from '../../../parts/button.tsx'
import { Dialog, DialogActions } from '../../../parts/dialog.tsx'
import { Notice } from '../../../parts/states.tsx'
import { languageOf } from '../model/documents.ts'
import type { EditorModel } from '../model/editor-model.ts'
import { type FieldName, fieldText, fieldTitles, type Template, withFieldText } from '../model/fields.ts'
import { type Merge, mergeOf } from './merge.ts'
import { MergePane } from './merge-pane.tsx'

interface ConflictProps {
  model: EditorModel
  onMerged(): void
}

/** Somebody else has saved the template since it was opened: both sides, and what becomes of them. */
export function Conflict({ model, onMerged }: ConflictProps) {
  const { value: theirs } = model.conflict
  if (theirs === undefined) return null
  return <ConflictDialog key={theirs.version} model={model} theirs={theirs} onMerged={onMerged} />
}

function ConflictDialog({ model, theirs, onMerged }: ConflictProps & { theirs: Template }) {
  const theirFields = useMemo(() => model.fieldsOf(theirs), [])
  const merge = useSignal<Merge>(useMemo(() => mergeOf(model.base, theirFields, model.fields.value), []))
  const { texts, open } = merge.value
  const names = Object.keys(texts) as FieldName[]
  const shown = useSignal<FieldName | undefined>(open[0] ?? names[0])
  const problem = useSignal<string | undefined>(undefined)
  const close = () => {
    model.conflict.value = undefined
  }
  const setText = (name: FieldName, text: string) => {
    merge.value = { ...merge.value, texts: { ...merge.value.texts, [name]: text } }
  }
  const finish = () => {
    let merged = theirFields
    for (const name of names) {
      try {
        merged = withFieldText(merged, name, texts[name] ?? '')
      } catch {
        shown.value = name
        problem.value = `${fieldTitles[name]} is not JSON`
        return
      }
    }
    model.merge(theirs, merged)
    onMerged()
  }
  const { value: name } = shown
  return (
    <Dialog title={`Version ${theirs.version} was saved in the meantime`} size="wide" keepsOpen onClose={close}>
      <div class="editor-conflict">
        <p>
          {open.length === 0
            ? 'You and somebody else have changed different things. Both are kept.'
            : 'Choose for each part that both have changed. The right side is what will be saved.'}
        </p>
        <fieldset class="tabs">
          <legend class="visually-hidden">Changed parts</legend>
          {names.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === name}
              onClick={() => {
                shown.value = one
              }}
            >
              {fieldTitles[one]} {open.includes(one) && <Badge tone="warn">both</Badge>}
            </button>
          ))}
        </fieldset>
        {name !== undefined && (
          <>
            <div class="button-row">
              <Button icon="arrow-right" onClick={() => setText(name, fieldText(theirFields, name))}>
                Take theirs
              </Button>
              <Button icon="rotate-ccw" onClick={() => setText(name, fieldText(model.fields.value, name))}>
                Take mine
              </Button>
            </div>
            <MergePane
              key={name}
              theirs={fieldText(theirFields, name)}
              result={texts[name] ?? ''}
              version={theirs.version}
              language={languageOf(name)}
              onChange={(text) => setText(name, text)}
            />
          </>
        )}
        {problem.value !== undefined && <Notice tone="bad">{problem.value}</Notice>}
      </div>
      <DialogActions>
        <Button onClick={close}>Go on editing</Button>
        <Button tone="primary" onClick={finish}>
          Merge and save
        </Button>
      </DialogActions>
    </Dialog>
  )
}
