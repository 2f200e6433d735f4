import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { IconButton } from './button.tsx'
import { Announcements } from './toasts.tsx'

interface DialogProps {
  title: string
  /** Called by Escape, the button of the dialog, or a click beside it. */
  onClose(): void
  /** `wide` for what has columns. */
  size?: 'wide'
  /** A dialog that must not be lost, such as one that shows a secret once: a click beside it does nothing, and `onClose` may ask. */
  keepsOpen?: boolean
  children: ComponentChildren
}

/**
 * A modal dialog, open as long as it is rendered. The browser holds the focus inside, and gives it back to the element that had it.
 * The first field has the focus, else the dialog's first button.
 */
export function Dialog({ title, onClose, size, keepsOpen = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const pressed = useRef<EventTarget | null>(null)
  useEffect(() => {
    const { current } = dialog
    const before = document.activeElement
    current?.showModal()
    current?.querySelector<HTMLElement>('[autofocus], .dialog-body :is(input, select, textarea)')?.focus()
    return () => {
      current?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class={`dialog ${size ?? ''}`}
      aria-labelledby={id}
      onKeyDown={(event) => {
        // A browser closes a dialog at the second Escape, whatever `onCancel` says.
        if (event.key !== 'Escape' || !keepsOpen || event.defaultPrevented) return
        event.preventDefault()
        onClose()
      }}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClose={({ currentTarget }) => {
        // The browser has closed it without asking.
        if (!currentTarget.isConnected || currentTarget.open) return
        currentTarget.showModal()
        onClose()
      }}
      onPointerDown={({ target }) => {
        pressed.current = target
      }}
      onClick={({ target }) => {
        // Who selects a text of a field may let go of the button beside the dialog.
        if (target === dialog.current && pressed.current === target && !keepsOpen) onClose()
      }}
    >
      <div class="dialog-box">
        <header class="dialog-header">
          <h2 id={id}>{title}</h2>
          <IconButton icon="x" label="Close" onClick={onClose} />
        </header>
        {children}
      </div>
      <Announcements />
    </dialog>
  )
}

/** What is between the title and the buttons. It scrolls if the window is low. */
export function DialogBody({ children }: { children: ComponentChildren }) {
  return <div class="dialog-body">{children}</div>
}

/** The buttons of a dialog: the act last. */
export function DialogActions({ children }: { children: ComponentChildren }) {
  return <footer class="dialog-actions">{children}</footer>
}
