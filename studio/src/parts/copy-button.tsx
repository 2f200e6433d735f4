import { useSignal } from '@preact/signals'
import { IconButton } from './button.tsx'
import { announce } from './toasts.tsx'

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
    await copyText(text)
    announce('Copied')
    isCopied.value = true
    setTimeout(() => {
      isCopied.value = false
    }, shownMs)
  }
  return <IconButton class="copy" icon={isCopied.value ? 'check' : 'copy'} label={label} onClick={() => void copy()} />
}

/** On a server without TLS, browsers have no clipboard for scripts: the text is selected and copied. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  const container = document.querySelector('dialog[open]') ?? document.body
  container.append(field)
  const before = document.activeElement
  field.select()
  document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
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
