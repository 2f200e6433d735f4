import type { Scope } from '@platen/domain/api-key/api-key.ts'

const scopesOfHooks = new WeakMap<object, readonly Scope[]>()

/** Records that a hook requires one of these scopes, so that the OpenAPI document names them. */
export function withScopes<Hook extends object>(hook: Hook, scopes: readonly Scope[]): Hook {
  scopesOfHooks.set(hook, scopes)
  return hook
}

/** The scopes that the hooks of a route require one of. */
export function scopesOf(hooks: unknown): Scope[] {
  return [hooks].flat().flatMap((hook) => (typeof hook === 'function' ? (scopesOfHooks.get(hook) ?? []) : []))
}
