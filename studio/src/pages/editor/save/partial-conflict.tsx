import { useSignal } from '@preact/signals'
import { Button } from '../../../parts/button.tsx'
import { Dialog, DialogActions } from '../../../parts/dialog.tsx'
import type { EditorModel } from '../model/editor-model.ts'
import type { EditedPartial } from '../model/fields.ts'
import { MergePane } from './merge-pane.tsx'

interface PartialConflictProps {
  model: EditorModel
  onMerged(): void
}

/** Somebody else has saved a partial since it was opened: both sides, and what becomes of them. */
export function PartialConflict({ model, onMerged }: PartialConflictProps) {
  const { value } = model.partialConflict
  if (value === undefined) return null
  return <ConflictDialog key={`${value.name} ${value.theirs.version}`} {...{ model, onMerged, ...value }} />
}

function ConflictDialog({
  model,
  onMerged,
  name,
  theirs,
}: PartialConflictProps & { name: string; theirs: EditedPartial }) {
  const mine = model.fields.value.partials[name]?.html ?? ''
  const text = useSignal(mine)
  const close = () => {
    model.partialConflict.value = undefined
  }
  const finish = () => {
    model.mergePartial(name, theirs, text.value)
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
        <p>The right side is what will be saved. An arrow takes over what differs.</p>
        <div class="button-row">
          <Button
            icon="arrow-right"
            onClick={() => {
              text.value = theirs.html
            }}
          >
            Take theirs
          </Button>
          <Button
            icon="rotate-ccw"
            onClick={() => {
              text.value = mine
            }}
          >
            Take mine
          </Button>
        </div>
        <MergePane
          theirs={theirs.html}
          result={text.value}
          version={theirs.version}
          language="handlebars"
          onChange={(merged) => {
            text.value = merged
          }}
        />
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
