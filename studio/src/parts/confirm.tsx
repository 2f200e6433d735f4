import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Button } from './button.tsx'
import { Dialog, DialogActions, DialogBody } from './dialog.tsx'

interface Question {
  /** A question that names what is concerned: `Delete 3 templates?`. */
  title: string
  /** What follows from it, and what does not. */
  body: ComponentChildren
  /** The button, which names the act and its count: `Delete 3 templates`. */
  action: string
  /** `danger`: it cannot be undone. */
  tone?: 'danger'
}

const asked = signal<(Question & { answer(isConfirmed: boolean): void }) | undefined>(undefined)

/** Asks before something is done that is hard to undo. Resolves with the answer. */
export function confirm(question: Question): Promise<boolean> {
  asked.value?.answer(false)
  return new Promise((resolve) => {
    const answer = (isConfirmed: boolean) => {
      asked.value = undefined
      resolve(isConfirmed)
    }
    asked.value = { ...question, answer }
  })
}

/** Where `confirm` is shown. The frame has one. */
export function ConfirmHost() {
  const question = asked.value
  if (question === undefined) return null
  const { title, body, action, tone, answer } = question
  return (
    <Dialog title={title} onClose={() => answer(false)}>
      <DialogBody>{body}</DialogBody>
      <DialogActions>
        <Button autofocus onClick={() => answer(false)}>
          Cancel
        </Button>
        <Button tone={tone ?? 'primary'} onClick={() => answer(true)}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
