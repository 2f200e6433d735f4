import { WakeUp } from '@platen/foundation/runtime/wake-up.ts'
import type { HealthCheck } from './health.ts'

/** Which services run in this process, and whether it is ready. */
export class Presence {
  /** The checks of `/readyz`. */
  checks: readonly HealthCheck[] = []
  readonly services = new Set<string>()
  /** Called when a service has started or stopped. */
  readonly changed = new WakeUp()
  #everStarted = false

  get state(): 'starting' | 'running' | 'stopping' {
    if (this.services.size > 0) return 'running'
    return this.#everStarted ? 'stopping' : 'starting'
  }

  started(service: string): void {
    this.#everStarted = true
    this.services.add(service)
    this.changed.wake()
  }

  stopped(service: string): void {
    this.services.delete(service)
    this.changed.wake()
  }
}
