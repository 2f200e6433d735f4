/**
 * For whom a page is used. Documents of two API keys share no page, nor do those that an `admin` key prints for two owners.
 */
export function pageUserOf({ owner_id, api_key_id }: { owner_id: string; api_key_id: string }): string {
  return `${owner_id} ${api_key_id}`
}

/** The owner among them: that of the metrics of slots. */
export function ownerOfUse(user: string): string {
  return user.split(' ')[0] ?? user
}
