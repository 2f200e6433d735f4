import { computed } from '@preact/signals'
import { address } from './address.ts'

/** The owner that a session with the scope `admin` looks at, as the address names it: `?owner=own_…`. */
export const actingOwner = computed(() => address.value.searchParams.get('owner') ?? undefined)
