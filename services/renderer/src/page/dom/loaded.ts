import { dom } from './dom.ts'

/** Requests fonts and the images of style sheets. */
export function layOut(): void {
  dom.documentElement?.getBoundingClientRect()
}

/**
 * Whether fonts and images are loaded. It is polled, because promises and listeners do not run on pages whose script is
 * disabled.
 */
export function isLoaded(): boolean {
  layOut()
  return dom.fonts.status === 'loaded' && [...dom.images].every((image) => image.complete)
}
