/**
 * The user of a page: an owner and an API key. Documents of different users never share a page.
 */
export function pageUserOf({ owner_id, api_key_id }: { owner_id: string; api_key_id: string }): string {
  return `${owner_id} ${api_key_id}`
}

/** The owner id of a user of pages, for the metrics of slots. */
export function ownerOfUse(user: string): string {
  return user.split(' ')[0] ?? user
}

/** The ids of the owner and of the API key of a caller whose key is a user of pages. */
export function idsOf({ owner, key }: { owner: string; key: string }): string[] {
  return [owner, ...key.split(' ').slice(1)]
}
