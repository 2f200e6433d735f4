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
import { adviceOn, MergedText, toBeChosen } from './merged-text.tsx'
import { isOpen, mergedText, type TextMerge } from './text-merge.ts'

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
  const first = useMemo(() => mergeOf(model.base, theirFields, model.fields.value), [])
  const merge = useSignal<Merge>(first)
  const fields = Object.entries(merge.value) as [FieldName, TextMerge][]
  const open = fields.filter(([, one]) => isOpen(one)).map(([name]) => name)
  const shown = useSignal<FieldName | undefined>(open[0] ?? fields[0]?.[0])
  const problem = useSignal<string | undefined>(undefined)
  const close = () => {
    model.conflict.value = undefined
  }
  const finish = () => {
    const [unchosen] = open
    if (unchosen !== undefined) {
      shown.value = unchosen
      problem.value = toBeChosen
      return
    }
    let merged = theirFields
    for (const [name, one] of fields) {
      try {
        merged = withFieldText(merged, name, mergedText(one))
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
  const one = name && merge.value[name]
  return (
    <Dialog title={`Version ${theirs.version} was saved in the meantime`} size="wide" keepsOpen onClose={close}>
      <div class="editor-conflict">
        <p>{adviceOn(Object.values(first))}</p>
        <fieldset class="tabs">
          <legend class="visually-hidden">Changed parts</legend>
          {fields.map(([one]) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === name}
              onClick={() => {
                shown.value = one
              }}
            >
              {fieldTitles[one]} {open.includes(one) && <Badge tone="warn">choose</Badge>}
            </button>
          ))}
        </fieldset>
        {name !== undefined && one !== undefined && (
          <MergedText
            key={name}
            theirs={fieldText(theirFields, name)}
            mine={fieldText(model.fields.value, name)}
            first={first[name] ?? one}
            merge={one}
            version={theirs.version}
            language={languageOf(name)}
            onChange={(changed) => {
              merge.value = { ...merge.value, [name]: changed }
              problem.value = undefined
            }}
          />
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
