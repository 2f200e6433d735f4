import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'

interface Toast {
  id: number
  text: string
  tone: 'ok' | 'bad'
}

const toasts = signal<readonly Toast[]>([])
const announced = signal('')
let lastId = 0
const shownMs = 6_000

/** Says at the edge of the window what was done, or why it was not. A failure stays until it is closed. */
export function notify(text: string, tone: Toast['tone'] = 'ok'): void {
  const toast = { id: ++lastId, text, tone }
  toasts.value = [...toasts.value.slice(-3), toast]
  if (tone === 'ok') setTimeout(close, shownMs, toast.id)
}

/** Says something to a screen reader only. */
export function announce(text: string): void {
  // The same text twice is a change, too.
  announced.value = announced.value === text ? `${text}\u00a0` : text
}

function close(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

/** What `announce` says. Of a page with an open dialog, a screen reader reads the dialog alone: it has one, too. */
export function Announcements() {
  return (
    <div class="visually-hidden" role="status">
      {announced.value}
    </div>
  )
}

/** Where `notify` and `announce` are shown. The frame has one. */
export function Toasts() {
  const list = useRef<HTMLDivElement>(null)
  const newest = toasts.value.at(-1)?.id
  // What is opened last is above: a message is above a dialog that is open.
  useEffect(() => {
    if (list.current?.matches(':popover-open')) list.current.hidePopover()
    list.current?.showPopover()
  }, [newest])
  return (
    <>
      <Announcements />
      <div ref={list} class="toasts" popover="manual" role="status" aria-live="polite">
        {toasts.value.map(({ id, text, tone }) => (
          <div key={id} class={`toast ${tone}`}>
            <Icon name={tone === 'ok' ? 'circle-check' : 'circle-alert'} />
            <span>{text}</span>
            <IconButton icon="x" label="Close this message" onClick={() => close(id)} />
          </div>
        ))}
      </div>
    </>
  )
}
