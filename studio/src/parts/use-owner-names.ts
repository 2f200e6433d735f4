import { api, unwrap } from '../api/client.ts'
import { useResource } from './use-resource.ts'

/** The names of owners by their ids: those of the first 100 owners. The others are shown by their ids. */
export function useOwnerNames(isWanted: boolean): ReadonlyMap<string, string> {
  const owners = useResource(`owner names ${isWanted}`, async (signal) => {
    if (!isWanted) return new Map<string, string>()
    const { data } = await unwrap(api.GET('/v1/owners', { params: { query: { limit: 100 } }, signal }))
    return new Map(data.map(({ id, name }) => [id, name]))
  })
  return owners.value ?? new Map()
}
