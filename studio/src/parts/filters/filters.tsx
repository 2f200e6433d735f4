import type { ComponentChildren } from 'preact'
import { queryValue, setQuery } from '../../router/address.ts'
import { Button } from '../button.tsx'
import { Empty } from '../states.tsx'

/** Whether the address has a value of one of these filters. */
export const hasFilter = (names: readonly string[]): boolean => names.some((name) => queryValue(name) !== '')

/** The path of a list with the filters of the address, and what is open beside it. */
export function pathWithFilters(path: string, names: readonly string[], opened: Record<string, string>): string {
  const set = names.map((name) => [name, queryValue(name)]).filter(([, value]) => value !== '')
  return `${path}?${new URLSearchParams([...set, ...Object.entries(opened)])}`
}

const clear = (names: readonly string[]) =>
  setQuery(Object.fromEntries(names.map((name) => [name, ''])), { replace: false })

interface FiltersProps {
  /** Of the filters in the query of the address. */
  names: readonly string[]
  children: ComponentChildren
}

/** The filters of a list, with a button that removes those that are set. */
export function Filters({ names, children }: FiltersProps) {
  return (
    <div class="filters">
      {children}
      {hasFilter(names) && (
        <Button tone="quiet" class="small" onClick={() => clear(names)}>
          Clear filters
        </Button>
      )}
    </div>
  )
}

interface NothingFoundProps extends FiltersProps {
  /** `No delivery matches the filters`. */
  title: string
}

/** A list of which the filters leave nothing. `children` say what the filters look for. */
export function NothingFound({ title, names, children }: NothingFoundProps) {
  return (
    <Empty icon="list-filter" title={title} action={<Button onClick={() => clear(names)}>Clear filters</Button>}>
      {children}
    </Empty>
  )
}
