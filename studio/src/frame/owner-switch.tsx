import { useEffect, useId } from 'preact/hooks'
import { api, unwrap } from '../api/client.ts'
import { currentSession, mayUse } from '../api/session-state.ts'
import { Icon } from '../parts/icon.tsx'
import { useResource } from '../parts/use-resource.ts'
import { actingOwner } from '../router/acting-owner.ts'
import { showOwner } from '../router/address.ts'

/** For a key with the scope `admin`: whose templates and documents are shown. It is part of the address. */
export function OwnerSwitch() {
  return mayUse('admin') ? <OwnerSelect /> : null
}

function OwnerSelect() {
  const id = useId()
  const own = currentSession().owner
  const owners = useResource('owners', (signal) =>
    unwrap(api.GET('/v1/owners', { params: { query: { limit: 100 } }, signal })),
  )
  const shown = actingOwner.value ?? own.id
  const known = owners.value?.data ?? [own]
  const isKnown = known.some((owner) => owner.id === shown)
  // It may have been created since.
  useEffect(() => {
    if (!isKnown && owners.value !== undefined) owners.reload()
  }, [shown])
  // One owner alone needs no switch.
  if (known.length < 2 && shown === own.id) return null
  const listed = isKnown ? known : [{ id: shown, name: shown }, ...known]
  return (
    <div class="owner-switch" data-other={shown !== own.id || undefined}>
      <label for={id}>Owner</label>
      <Icon name="users" />
      <select
        id={id}
        class="control"
        title={listed.find((owner) => owner.id === shown)?.name}
        value={shown}
        onChange={({ currentTarget }) => {
          const { value } = currentTarget
          void showOwner(value === own.id ? '' : value).then((isShown) => {
            if (!isShown) currentTarget.value = shown
          })
        }}
      >
        {listed.map((owner) => (
          <option key={owner.id} value={owner.id} selected={owner.id === shown}>
            {owner.name}
          </option>
        ))}
      </select>
    </div>
  )
}
