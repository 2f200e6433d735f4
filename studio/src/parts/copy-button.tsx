import { useSignal } from '@preact/signals'
import { IconButton } from './button.tsx'
import { announce, notify } from './toasts.tsx'

interface CopyButtonProps {
  text: string
  /** What is copied: `Copy id`. */
  label: string
}

const shownMs = 1_500

/** Copies a text, and shows for a moment that it did. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const isCopied = useSignal(false)
  const copy = async () => {
    if (!(await copyText(text))) return notify('The browser does not allow to copy it: select the text instead.', 'bad')
    announce('Copied')
    isCopied.value = true
    setTimeout(() => {
      isCopied.value = false
    }, shownMs)
  }
  return <IconButton class="copy" icon={isCopied.value ? 'check' : 'copy'} label={label} onClick={() => void copy()} />
}

/**
 * Resolves with whether it was copied. On a server without TLS, browsers have no clipboard for scripts, and a user may forbid it: then
 * the text is selected and copied.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelected(text)
  }
}

function copySelected(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  const container = document.querySelector('dialog[open]') ?? document.body
  container.append(field)
  const before = document.activeElement
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  return isCopied
}

/** An id or another text for programs, with a button that copies it. */
export function Copyable({ text, label }: CopyButtonProps) {
  return (
    <span class="copyable">
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  )
}
