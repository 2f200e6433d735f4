import { queryValue, setQuery } from '../router/address.ts'
import { CheckField } from './fields.tsx'

/** Whether a list is that of all owners, for a key with the scope `admin`. It is part of the address. */
export const isOfAllOwners = (): boolean => queryValue('all') === 'owners'

/** Chooses between the list of one owner and that of all. `clears`: filters that are about one owner. */
export function AllOwners({ clears = [] }: { clears?: readonly string[] }) {
  return (
    <CheckField
      label="Of all owners"
      checked={isOfAllOwners()}
      onChange={(isOn) => {
        const cleared = Object.fromEntries(clears.map((name) => [name, '']))
        setQuery({ ...cleared, all: isOn ? 'owners' : '', owner: '' }, { replace: false })
      }}
    />
  )
}
