import type { ComponentChildren } from 'preact'
import { ApiError } from '../api/api-error.ts'
import { Button } from './button.tsx'
import { Copyable } from './copy-button.tsx'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.ts'
import { textOf } from './use-action.ts'
import type { Resource } from './use-resource.ts'
import { useSlow } from './use-slow.ts'

interface EmptyProps {
  icon: IconName
  /** What there would be: `No templates yet`. */
  title: string
  /** What to do first. */
  children?: ComponentChildren
  /** The button that does it. */
  action?: ComponentChildren
}

/** A page or a part of one that has nothing to show. */
export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <div class="state">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {action}
    </div>
  )
}

interface FailureProps {
  error: unknown
  /** What could not be done: `The templates could not be loaded`. */
  title: string
  retry?: (() => void) | undefined
}

/** What failed, why, with the id of the request, and a button that tries again. */
export function Failure({ error, title, retry }: FailureProps) {
  const requestId = error instanceof ApiError ? error.requestId : undefined
  return (
    <div class="state bad" role="alert">
      <Icon name="circle-alert" />
      <h2>{title}</h2>
      <p>{textOf(error)}</p>
      {requestId !== undefined && (
        <p class="request-id">
          Request <Copyable text={requestId} label="Copy request id" />
        </p>
      )}
      {retry && (
        <Button icon="rotate-cw" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  )
}

/** A line of text with an icon inside of a page or a form. */
export function Notice({ tone, children }: { tone: 'info' | 'warn' | 'bad'; children: ComponentChildren }) {
  return (
    <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon name={tone === 'info' ? 'info' : tone === 'warn' ? 'triangle-alert' : 'circle-alert'} />
      <div>{children}</div>
    </div>
  )
}

/** The sign that something loads, from 100 ms on. */
export function Loading() {
  const isSlow = useSlow(true)
  return (
    <div class="state" aria-busy="true">
      {isSlow && (
        <p class="loading" role="status">
          Loading…
        </p>
      )}
    </div>
  )
}

interface LoadedProps<Value> {
  resource: Resource<Value>
  /** What could not be done, if it fails: `The template could not be loaded`. */
  failure: string
  children: (value: Value) => ComponentChildren
}

/** What was loaded, or that it loads, or why it cannot be. */
export function Loaded<Value>({ resource, failure, children }: LoadedProps<Value>) {
  const { value, error, reload } = resource
  if (value !== undefined) {
    return (
      <>
        {error !== undefined && <Notice tone="bad">{textOf(error)}</Notice>}
        {children(value)}
      </>
    )
  }
  if (error !== undefined) return <Failure error={error} title={failure} retry={reload} />
  return <Loading />
}
