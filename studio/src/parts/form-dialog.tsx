import type { ComponentChildren } from 'preact'
import { Button } from './button.tsx'
import { Dialog, DialogActions, DialogBody } from './dialog.tsx'
import { Notice } from './states.tsx'

interface FormDialogProps {
  title: string
  size?: 'wide'
  /** The button, which names the act: `Create template`. */
  submit: string
  /** Of the button. `danger`: it takes something away. */
  tone?: 'danger'
  onSubmit(): void
  onClose(): void
  busy?: boolean
  /** While there is nothing to submit. */
  disabled?: boolean
  /** Why it was refused, if no field says it. */
  problem?: string | undefined
  children: ComponentChildren
}

/** A dialog that is a form: its fields, and what submits and cancels it. */
export function FormDialog({
  title,
  size,
  submit,
  tone,
  onSubmit,
  onClose,
  busy,
  disabled,
  problem,
  children,
}: FormDialogProps) {
  return (
    <Dialog title={title} onClose={onClose} {...(size && { size })}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (busy !== true && disabled !== true) onSubmit()
        }}
      >
        <DialogBody>
          {children}
          {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
        </DialogBody>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone={tone ?? 'primary'} {...(busy && { busy })} {...(disabled && { disabled })}>
            {submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
