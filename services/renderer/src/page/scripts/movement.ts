import type { PageScripts } from '../contract.ts'
import { dom } from '../dom/dom.ts'

const smil = 'animate, animateMotion, animateTransform, set, discard'

export const isAnimating: PageScripts['isAnimating'] = () => {
  const ends = ({ playState, effect }: Animation) =>
    playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime)
  return dom.getAnimations().some(ends) || dom.querySelector(smil) !== null
}

export const frameMovement: PageScripts['frameMovement'] = () => {
  if (isAnimating()) return 'animating'
  return dom.scripts.length > 0 ? 'scripted' : ''
}

export const drawTwoFrames: PageScripts['drawTwoFrames'] = () =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))
