import type { ComponentChildren } from 'preact'
import { useErrorBoundary } from 'preact/hooks'
import { Page } from '../parts/page.tsx'
import { Failure } from '../parts/states.tsx'

/** A page that fails does not take the frame with it. It is tried again by a button, or by going to another page. */
export function ErrorBoundary({ name, children }: { name: string; children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary((err: unknown) => console.error(err))
  if (error === undefined || error === null) return <>{children}</>
  return (
    <Page title={name}>
      <Failure error={error} title="This page has failed" retry={reset} />
    </Page>
  )
}
