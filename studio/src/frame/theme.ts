import { signal } from '@preact/signals'

export type Theme = 'system' | 'light' | 'dark'

const storedName = 'platen-theme'
const stored = localStorage.getItem(storedName)

export const theme = signal<Theme>(stored === 'light' || stored === 'dark' ? stored : 'system')

/** `system` is what the browser prefers. */
export function setTheme(chosen: Theme): void {
  theme.value = chosen
  if (chosen === 'system') localStorage.removeItem(storedName)
  else localStorage.setItem(storedName, chosen)
  applyTheme()
}

export function applyTheme(): void {
  if (theme.value === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme.value
}
