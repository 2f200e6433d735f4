import { Button } from '../../../parts/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../../parts/dialog.tsx'
import { formatTime } from '../../../parts/format.ts'
import type { EditorModel } from '../model/editor-model.ts'
import { type FieldName, fieldTitles } from '../model/fields.ts'

/** Offers unsaved work of an earlier visit. */
export function Leftover({ model }: { model: EditorModel }) {
  const { value } = model.leftover
  if (value === undefined) return null
  const restore = () => model.restore(value)
  const names = (Object.keys(value.fields) as FieldName[]).map((name) => fieldTitles[name].toLowerCase())
  return (
    // Escape restores, too: what is restored can be discarded, but not the other way round.
    <Dialog title="You have unsaved work" onClose={restore} keepsOpen>
      <DialogBody>
        <p>
          On {formatTime(value.at)} you left changes of version {value.version} unsaved: {names.join(', ')}.
        </p>
        {value.version !== model.template.value.version && (
          <p>The template is at version {model.template.value.version} now. When you save, you can merge both.</p>
        )}
      </DialogBody>
      <DialogActions>
        <Button onClick={() => model.discardLeftover()}>Discard</Button>
        <Button tone="primary" autofocus onClick={restore}>
          Restore
        </Button>
      </DialogActions>
    </Dialog>
  )
}
