import { signal } from '@preact/signals'

/** Where the studio is served. */
export const base = '/studio'

/** The address of the window, without a fragment: that may have an API key. It changes by `navigate`, and by back and forward. */
export const address = signal(currentAddress())

function currentAddress(): URL {
  return new URL(location.pathname + location.search, location.origin)
}

/** Asked before the address changes to another page, for example by an editor with unsaved work. False keeps the page. */
export type LeaveGuard = (to: URL) => boolean | Promise<boolean>
const guards = new Set<LeaveGuard>()

export function guardLeaving(guard: LeaveGuard): () => void {
  guards.add(guard)
  return () => guards.delete(guard)
}

// The page that is shown scrolls in an element of its own, and keeps its place itself.
history.scrollRestoration = 'manual'

addEventListener('popstate', () => {
  address.value = currentAddress()
})

/** Goes to a path below `/studio`, such as `/templates?q=invoice`. The owner that is looked at stays. */
export async function navigate(path: string, { replace = false }: { replace?: boolean } = {}): Promise<void> {
  const to = urlOf(path)
  if (to.href === address.value.href) return
  if (to.pathname !== address.value.pathname) {
    for (const guard of guards) if (!(await guard(to))) return
  }
  show(to, replace)
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
  if (replace) history.replaceState(null, '', to)
  else history.pushState(null, '', to)
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
