import { IconButton } from '../parts/button.tsx'
import { setTheme, type Theme, theme } from './theme.ts'

const next = { system: 'light', light: 'dark', dark: 'system' } as const satisfies Record<Theme, Theme>
const icons = { system: 'monitor', light: 'sun', dark: 'moon' } as const
const names = { system: 'as the system', light: 'light', dark: 'dark' }

/** Changes between the colours of the system, light and dark. */
export function ThemeSwitch() {
  const { value } = theme
  return (
    <IconButton
      class="theme-switch"
      icon={icons[value]}
      label={`Colours: ${names[value]}. Change to ${names[next[value]]}`}
      onClick={() => setTheme(next[value])}
    />
  )
}
