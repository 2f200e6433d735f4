import { useSignal } from '@preact/signals'
import { IconButton } from '../parts/button.tsx'
import { Dialog, DialogBody } from '../parts/dialog.tsx'
import { CheckField } from '../parts/fields.tsx'
import { hasSingleKeys, setSingleKeys, shownShortcuts, useShortcut } from '../parts/shortcuts.ts'

const isMac = navigator.platform.startsWith('Mac')

/** The shortcuts of the page that is shown. `?` opens it. */
export function ShortcutsDialog() {
  const isOpen = useSignal(false)
  const open = () => {
    isOpen.value = true
  }
  useShortcut('?', 'Show these shortcuts', open)
  return (
    <>
      <IconButton icon="keyboard" label="Keyboard shortcuts" onClick={open} />
      {isOpen.value && (
        <Dialog
          title="Keyboard shortcuts"
          onClose={() => {
            isOpen.value = false
          }}
        >
          <DialogBody>
            <dl class="shortcuts">
              {shownShortcuts.value.map(({ keys, text }) => (
                <div key={keys}>
                  <dt>{text}</dt>
                  <dd>
                    {keys
                      .replace('mod+', isMac ? '⌘ ' : 'Ctrl ')
                      .split(' ')
                      .map((key) => (
                        <kbd key={key}>{key}</kbd>
                      ))}
                  </dd>
                </div>
              ))}
            </dl>
            <CheckField
              label="Shortcuts of single keys"
              hint="Those without Ctrl. Turn them off if you dictate."
              checked={hasSingleKeys.value}
              onChange={setSingleKeys}
            />
          </DialogBody>
        </Dialog>
      )}
    </>
  )
}
