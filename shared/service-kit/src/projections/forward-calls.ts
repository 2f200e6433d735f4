import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { isDamage } from './damaged-view.ts'

/**
 * An object whose methods call the current view. If its file is damaged, `onDamage` is called, and the caller gets
 * DependencyUnavailable. An asynchronous call during which the view is replaced is repeated on its successor.
 */
export function forwardCalls<View extends object>(current: () => View, onDamage: (err: unknown) => void): View {
  const call = (name: keyof View, args: unknown[]): unknown => {
    const view = current()
    const recover = (err: unknown): unknown => {
      if (current() !== view) return call(name, args)
      if (!isDamage(err)) throw err
      onDamage(err)
      throw new DependencyUnavailable('The view is damaged and is being rebuilt', { cause: err })
    }
    try {
      const result = (view[name] as (...args: unknown[]) => unknown)(...args)
      return result instanceof Promise ? result.catch(recover) : result
    } catch (err) {
      return recover(err)
    }
  }
  const get =
    (_: View, name: keyof View) =>
    (...args: unknown[]) =>
      call(name, args)
  return new Proxy({} as View, { get } as ProxyHandler<View>)
}
