import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { queryValue, setQuery } from '../../router/address.ts'

const wide = matchMedia('(min-width: 1100px)')

/** Whether the list of versions is shown: as the address says, else where there is room for it. */
export function usePanel(): { isOpen: boolean; toggle(): void } {
  const isWide = useSignal(wide.matches)
  useEffect(() => {
    const changed = () => {
      isWide.value = wide.matches
    }
    wide.addEventListener('change', changed)
    return () => wide.removeEventListener('change', changed)
  }, [])
  const wanted = queryValue('list')
  const isOpen = wanted === '' ? isWide.value : wanted === 'shown'
  const toggle = () => {
    const next = !isOpen
    setQuery({ list: next === isWide.value ? '' : next ? 'shown' : 'hidden' })
  }
  return { isOpen, toggle }
}
