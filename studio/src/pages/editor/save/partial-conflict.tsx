import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { Button } from '../../../parts/button.tsx'
import { Dialog, DialogActions } from '../../../parts/dialog.tsx'
import { Notice } from '../../../parts/states.tsx'
import type { EditorModel } from '../model/editor-model.ts'
import type { EditedPartial } from '../model/fields.ts'
import { adviceOn, MergedText, toBeChosen } from './merged-text.tsx'
import { isOpen, mergedText, mergeTexts } from './text-merge.ts'

interface PartialConflictProps {
  model: EditorModel
  onMerged(): void
}

/** Somebody else has saved a partial since it was opened: both sides, and what becomes of them. */
export function PartialConflict({ model, onMerged }: PartialConflictProps) {
  const { value } = model.partialConflict
  if (value === undefined) return null
  return <ConflictDialog key={`${value.name} ${value.theirs.version}`} model={model} onMerged={onMerged} {...value} />
}

function ConflictDialog({
  model,
  onMerged,
  name,
  theirs,
}: PartialConflictProps & { name: string; theirs: EditedPartial }) {
  const mine = model.fields.value.partials[name]?.html ?? ''
  const base = model.base.partials[name]?.html ?? ''
  const first = useMemo(() => mergeTexts(base, theirs.html, mine), [])
  const merge = useSignal(first)
  const problem = useSignal<string | undefined>(undefined)
  const close = () => {
    model.partialConflict.value = undefined
  }
  const finish = () => {
    if (isOpen(merge.value)) {
      problem.value = toBeChosen
      return
    }
    model.mergePartial(name, theirs, mergedText(merge.value))
    onMerged()
  }
  return (
    <Dialog
      title={`Version ${theirs.version} of the partial ${name} was saved in the meantime`}
      size="wide"
      keepsOpen
      onClose={close}
    >
      <div class="editor-conflict">
        <p>{adviceOn([first])}</p>
        <MergedText
          theirs={theirs.html}
          mine={mine}
          first={first}
          merge={merge.value}
          version={theirs.version}
          language="handlebars"
          onChange={(changed) => {
            merge.value = changed
            problem.value = undefined
          }}
        />
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
