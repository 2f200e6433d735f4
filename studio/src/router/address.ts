import { signal } from '@preact/signals'

/** Where the studio is served. */
export const base = '/studio'

/** The address of the window, without a fragment: that may have an API key. It changes by `navigate`, and by back and forward. */
export const address = signal(currentAddress())

function currentAddress(): URL {
  return new URL(location.pathname + location.search, location.origin)
}

/** Asked before another page or owner is shown, for example by an editor with unsaved work. False keeps the page. */
export type LeaveGuard = (to: URL) => boolean | Promise<boolean>
const guards = new Set<LeaveGuard>()

export function guardLeaving(guard: LeaveGuard): () => void {
  guards.add(guard)
  return () => guards.delete(guard)
}

async function mayLeave(to: URL): Promise<boolean> {
  if (!isOtherPage(to)) return true
  for (const guard of guards) if (!(await guard(to))) return false
  return true
}

const ownerIn = ({ searchParams }: URL) => searchParams.get('owner')
const isOtherPage = (to: URL) => to.pathname !== address.value.pathname || ownerIn(to) !== ownerIn(address.value)

// The page that is shown scrolls in an element of its own, and keeps its place itself.
history.scrollRestoration = 'manual'

/** The place of the entry that is shown in the history of the window. Entries have it in their state. */
let entry = entryNow()
/** Called when the history is at `entry` again. */
let returned: (() => void) | undefined
let isLeaving = false

function entryNow(): number {
  const kept = keptInHistory('entry')
  return typeof kept === 'number' ? kept : 0
}

addEventListener('popstate', () => void followHistory())

/** Shows the address that back or forward has led to, unless a guard keeps the page. */
async function followHistory(): Promise<void> {
  const [to, steps] = [currentAddress(), entryNow() - entry]
  if (returned !== undefined) {
    // Back was pressed again before the history was at the entry.
    if (steps !== 0) return history.go(-steps)
    returned()
    returned = undefined
    return
  }
  if (isLeaving || guards.size === 0 || steps === 0 || !isOtherPage(to)) {
    isLeaving = false
    entry = entryNow()
    address.value = to
    return
  }
  // The browser is at the other entry already. It returns until one has answered.
  await new Promise<void>((resolve) => {
    returned = resolve
    history.go(-steps)
  })
  if (!(await mayLeave(to))) return
  isLeaving = true
  history.go(steps)
}

/** Goes to a path below `/studio`, such as `/templates?q=invoice`. The owner that is looked at stays. */
export async function navigate(path: string, { replace = false }: { replace?: boolean } = {}): Promise<void> {
  const to = urlOf(path)
  if (to.href === address.value.href || !(await mayLeave(to))) return
  show(to, replace)
}

/** Shows the same page for another owner. An empty id is the owner of the session. Resolves with whether it is shown. */
export async function showOwner(owner: string): Promise<boolean> {
  const to = new URL(address.value)
  if (owner === '') to.searchParams.delete('owner')
  else to.searchParams.set('owner', owner)
  if (!(await mayLeave(to))) return false
  show(to, false)
  return true
}

/** The URL of a path below `/studio`, for links. */
export function urlOf(path: string): URL {
  const to = new URL(base + (path === '/' ? '/' : path), location.origin)
  const owner = address.value.searchParams.get('owner')
  if (owner !== null && !to.searchParams.has('owner')) to.searchParams.set('owner', owner)
  return to
}

/** A value of the query, such as a filter. Empty if the address has none. */
export function queryValue(name: string): string {
  return address.value.searchParams.get(name) ?? ''
}

/** Changes values of the query. An empty value is removed. By default the last entry of the history is replaced. */
export function setQuery(values: Record<string, string>, { replace = true }: { replace?: boolean } = {}): void {
  const to = new URL(address.value)
  for (const [name, value] of Object.entries(values)) {
    if (value === '') to.searchParams.delete(name)
    else to.searchParams.set(name, value)
  }
  if (to.href === address.value.href) return
  show(to, replace)
}

/** What an entry of the history keeps is of what it showed, and not of what it shows now. */
function show(to: URL, replace: boolean): void {
  if (!replace) entry++
  if (replace) history.replaceState({ entry }, '', to)
  else history.pushState({ entry }, '', to)
  address.value = to
}

/** What a page keeps in its entry of the history, for example where a list was scrolled to. It survives a reload. */
export function keptInHistory(name: string): unknown {
  const state: unknown = history.state
  return typeof state === 'object' && state !== null ? (state as Record<string, unknown>)[name] : undefined
}

export function keepInHistory(name: string, value: unknown): void {
  history.replaceState({ ...(history.state as object | null), [name]: value }, '')
}
