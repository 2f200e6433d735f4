import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useErrorBoundary } from 'preact/hooks'
import { checkConnection, recoveries } from '../api/connection.ts'
import { mayUse } from '../api/session-state.ts'
import { Link } from '../parts/link.tsx'
import { Page } from '../parts/page.tsx'
import { Empty, Failure, Loading } from '../parts/states.tsx'
import { actingOwner } from '../router/acting-owner.ts'
import { address } from '../router/address.ts'
import { matchRoute } from '../router/routes.ts'
import { type PageComponent, pages, type StudioPage } from './pages.ts'

const loaded = new Map<StudioPage, PageComponent>()

/** The page of the address. */
export function PageHost() {
  const match = matchRoute(pages, address.value)
  if (match === undefined) {
    return (
      <Page title="Not found">
        <Empty
          icon="search"
          title="There is no such page"
          action={
            <Link class="button" to="/templates">
              Go to the templates
            </Link>
          }
        />
      </Page>
    )
  }
  const { route, params } = match
  if (route.scopes !== undefined && !mayUse(...route.scopes)) {
    return (
      <Page title={route.name}>
        <Empty icon="key-round" title="Your API key may not see this">
          It needs the scope {route.scopes.join(' or ')}.
        </Empty>
      </Page>
    )
  }
  // Another item or owner is another page: no state of the one before is left.
  const key = `${route.path} ${Object.values(params).join(' ')} ${actingOwner.value ?? ''}`
  return (
    <ErrorBoundary key={key} name={route.name}>
      <LazyPage key={key} page={route} params={params} />
    </ErrorBoundary>
  )
}

function LazyPage({ page, params }: { page: StudioPage; params: Readonly<Record<string, string>> }) {
  const Known = loaded.get(page)
  const error = useSignal<unknown>(undefined)
  const attempt = useSignal(0)
  const attempts = attempt.value + recoveries.value
  useEffect(() => {
    if (loaded.has(page)) return
    error.value = undefined
    page.load().then(
      (component) => {
        loaded.set(page, component)
        attempt.value++
      },
      () => {
        // After an update of the server, the files of the studio have other names.
        error.value = new Error('Its file cannot be reached, or has another name since an update of the server.')
        // It is tried again when the server has come back; at once it would fail again, for ever.
        void checkConnection()
      },
    )
  }, [page, attempts])
  if (Known !== undefined) return <Known params={params} />
  if (error.value !== undefined) {
    return (
      <Page title={page.name}>
        <Failure error={error.value} title="The page could not be loaded" retry={() => location.reload()} />
      </Page>
    )
  }
  return (
    <Page title={page.name}>
      <Loading />
    </Page>
  )
}

/** A page that fails does not take the frame with it. It is tried again by a button, or by going to another page. */
function ErrorBoundary({ name, children }: { name: string; children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary((err: unknown) => console.error(err))
  if (error === undefined || error === null) return <>{children}</>
  return (
    <Page title={name}>
      <Failure error={error} title="This page has failed" retry={reset} />
    </Page>
  )
}
