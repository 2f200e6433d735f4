import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { isDamage } from './damaged-view.ts'

/**
 * An object whose methods call the current view. If its file is damaged, `onDamage` is called, and the caller gets
 * DependencyUnavailable.
 */
export function forwardCalls<View extends object>(current: () => View, onDamage: (err: unknown) => void): View {
  const get =
    (_: View, name: keyof View) =>
    (...args: unknown[]) => {
      try {
        return (current()[name] as (...args: unknown[]) => unknown)(...args)
      } catch (err) {
        if (!isDamage(err)) throw err
        onDamage(err)
        throw new DependencyUnavailable('The view is damaged and is being rebuilt', { cause: err })
      }
    }
  return new Proxy({} as View, { get } as ProxyHandler<View>)
}
