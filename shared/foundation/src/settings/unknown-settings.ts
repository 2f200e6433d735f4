import { distanceBetween } from '../runtime/closest-name.ts'
import type { Environment } from './config.ts'
import { knownSettings } from './known-settings.ts'

/** A variable of the environment that looks like a setting and is none. */
export interface UnknownSetting {
  name: string
  /** The setting whose name is nearly the same. */
  meant?: string
}

/** Prefixes of names that no other program uses. NATS_ is not one: the `nats` command has such variables. */
const prefixes = /^(ASSET|EVENT_STORE|OBJECT_STORE|RENDER|WEBHOOK)_/
/** Kubernetes sets these for each service of a namespace, such as NATS_PORT_4222_TCP. */
const ofKubernetes = /_(SERVICE_(HOST|PORT)(_\w+)?|PORT(_\d+_[A-Z]+(_\w+)?)?)$/

/** Names that are similar to a setting that is not set, and unknown names with a prefix of Platen. */
export function unknownSettings(env: Environment): UnknownSetting[] {
  const isSet = (name: string) => Boolean(env[name]?.trim())
  const names = Object.keys(env).filter((name) => isSet(name) && !knownSettings.includes(name))
  return names.flatMap((name) => {
    // Two differences in a short name are another name: HOME is not HOST.
    const limit = name.length < 10 ? 1 : 2
    const meant = knownSettings.find((known) => !isSet(known) && distanceBetween(name.toUpperCase(), known) <= limit)
    if (meant !== undefined) return [{ name, meant }]
    return prefixes.test(name) && !ofKubernetes.test(name) ? [{ name }] : []
  })
}

/** One sentence for logs. */
export function describeUnknown({ name, meant }: UnknownSetting): string {
  return `${name} is not a setting and is ignored${meant === undefined ? '' : `; ${meant} may be meant`}`
}
