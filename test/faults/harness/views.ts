import type { Generation } from '@platen/domain/generation/generation.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import type { View } from './evidence.ts'
import type { Door } from './system.ts'
import { type Check, verdict } from './verdict.ts'

type Row = { id?: string; name?: string }

/** What every list of a gateway has: of templates with their labels, and of assets as they are folded. */
export async function readView({ name, json }: Door, fresh: boolean, ids: ReadonlySet<string>): Promise<View> {
  const list = async <Item extends Row>(path: string, describe: (item: Item) => object = (item) => item) => {
    const found: Record<string, string> = {}
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const query = new URLSearchParams({ limit: '100', ...(cursor && { cursor }) })
      const { body } = await json<{ data: Item[]; next_cursor?: string }>(
        `/v1/${path}${path.includes('?') ? '&' : '?'}${query}`,
      )
      for (const item of body.data) {
        const id = item.id ?? item.name ?? ''
        if (ids.has(id) || item.id === undefined) found[id] = JSON.stringify(describe(item))
      }
      cursor = body.next_cursor
    }
    return found
  }
  const rows: View['rows'] = {
    // A signed URL is made anew for each request.
    generations: await list<Generation>('generations', ({ url, poll_url, ...rest }) => rest),
    batches: await list('batches'),
    templates: await list('templates'),
    partials: await list('partials'),
    assets: await list('assets'),
    // The time of the last use is exact to the hour.
    keys: await list<JsonObject & Row>('keys', ({ last_used_at, ...rest }) => rest),
    owners: await list('owners'),
  }
  for (const owner of Object.keys(rows.owners ?? {}))
    Object.assign(
      rows.keys ?? {},
      await list<JsonObject & Row>(`keys?owner=${owner}`, ({ last_used_at, ...rest }) => rest),
    )
  return { gateway: fresh ? `${name} (rebuilt)` : name, fresh, rows }
}

export const viewsEqualReplay: Check = function* ({ views }) {
  for (const [kind, all] of Map.groupBy(
    views.flatMap((view) => Object.keys(view.rows).map((kind) => ({ kind, view }))),
    ({ kind }) => kind,
  )) {
    const fresh = all.find(({ view }) => view.fresh)?.view.rows[kind]
    if (!fresh) {
      yield `no view of ${kind} was built from the start of the log`
      continue
    }
    for (const { view } of all) {
      if (view.fresh) continue
      const seen = view.rows[kind] ?? {}
      for (const id of new Set([...Object.keys(seen), ...Object.keys(fresh)]))
        yield verdict(
          seen[id] === fresh[id],
          () => `${view.gateway} has of ${kind} ${id}: ${seen[id]}, a replay ${fresh[id]}`,
        )
    }
  }
}
