import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

export interface Shortcut {
  /** `mod+s` (Ctrl, on a Mac Command), `?`, or keys one after the other: `g t`. */
  keys: string
  /** What it does, for the list of shortcuts. */
  text: string
  run(): void
}

const shortcuts = signal<readonly Shortcut[]>([])
export const shownShortcuts = shortcuts

const storedName = 'platen-single-keys'
/** Shortcuts of a single key can be turned off (WCAG 2.1.4), for example by who dictates. */
export const hasSingleKeys = signal(localStorage.getItem(storedName) !== 'off')

export function setSingleKeys(isOn: boolean): void {
  hasSingleKeys.value = isOn
  localStorage.setItem(storedName, isOn ? 'on' : 'off')
}

/** A shortcut as long as the component is shown. */
export function useShortcut(keys: string, text: string, run: () => void): void {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    const shortcut = { keys, text, run: () => latest.current() }
    shortcuts.value = [...shortcuts.peek(), shortcut]
    return () => {
      shortcuts.value = shortcuts.peek().filter((other) => other !== shortcut)
    }
  }, [keys, text])
}

const sequenceMs = 1_000
let before: { key: string; at: number } | undefined

/** To be called for each key that is pressed in the window. */
export function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  const isInDialog = document.querySelector('dialog[open]') !== null
  const hasModifier = event.ctrlKey || event.metaKey
  if (!hasModifier && (isTyping(event.target) || isInDialog || event.altKey || !hasSingleKeys.value)) return
  const pressed = hasModifier ? `mod+${event.key.toLowerCase()}` : event.key
  const recent =
    before !== undefined && event.timeStamp - before.at < sequenceMs ? `${before.key} ${pressed}` : undefined
  // The shortcut of what is shown last wins, and `g n` before `n`.
  const last = (wanted: string | undefined) => shortcuts.value.findLast(({ keys }) => keys === wanted)
  const found = last(recent) ?? last(pressed)
  before = found === undefined && !hasModifier ? { key: pressed, at: event.timeStamp } : undefined
  if (found === undefined) return
  event.preventDefault()
  found.run()
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
}
