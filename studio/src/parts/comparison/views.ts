import { queryValue, setQuery } from '../../router/address.ts'

/** How the two sides of a page are shown. The first one has an empty value in the address. */
export const views = [
  { value: '', text: 'Side by side', key: '1' },
  { value: 'overlay', text: 'Overlay', key: '2' },
  { value: 'slider', text: 'Slider', key: '3' },
  { value: 'blink', text: 'Blink', key: '4' },
] as const

export type View = (typeof views)[number]['value']

export function shownView(): View {
  const wanted = queryValue('view')
  return views.find(({ value }) => value === wanted)?.value ?? ''
}

export const showView = (view: View): void => setQuery({ view })
