import { h } from 'preact'
import { type IconName, icons } from './icons.ts'

interface IconProps {
  name: IconName
  /** Read aloud. Default: the icon is decoration, as there is a text beside it. */
  label?: string
}

/** An icon of 16 px in the colour of the text around it. */
export function Icon({ name, label }: IconProps) {
  const said = label === undefined ? { 'aria-hidden': 'true' as const } : { role: 'img' as const, 'aria-label': label }
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: a label, or decoration
    <svg
      class="icon"
      width="16"
      height="16"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      {...said}
    >
      {icons[name].map(([tag, attributes]) => h(tag, attributes))}
    </svg>
  )
}
