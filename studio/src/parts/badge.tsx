import type { ComponentChildren } from 'preact'

/** Colour means: `ok` is done, `run` is under way, `warn` needs a look, `bad` has failed. Without a tone it is a fact. */
export type Tone = 'ok' | 'run' | 'warn' | 'bad'

interface BadgeProps {
  tone?: Tone | undefined
  children: ComponentChildren
}

/** A status in one word. */
export function Badge({ tone, children }: BadgeProps) {
  return <span class={`badge ${tone ?? ''}`}>{children}</span>
}

const tones: Readonly<Record<string, Tone>> = {
  completed: 'ok',
  delivered: 'ok',
  active: 'ok',
  ok: 'ok',
  succeeded: 'ok',
  queued: 'run',
  rendering: 'run',
  running: 'run',
  pending: 'run',
  retrying: 'warn',
  failed: 'bad',
  exhausted: 'bad',
  unavailable: 'bad',
  disabled: 'warn',
}

/** The status of a resource of the API. An unknown one is shown without a colour. */
export function StatusBadge({ status }: { status: string }) {
  return <Badge tone={tones[status]}>{status.replaceAll('_', ' ')}</Badge>
}
