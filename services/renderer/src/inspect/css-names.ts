const viewportUnits = new Set(
  ['', 's', 'l', 'd'].flatMap((size) => ['vw', 'vh', 'vi', 'vb', 'vmin', 'vmax'].map((unit) => size + unit)),
)
// Without a container, these are units of the viewport.
for (const unit of ['cqw', 'cqh', 'cqi', 'cqb', 'cqmin', 'cqmax']) viewportUnits.add(unit)

export const isViewportUnit = (unit: string) => viewportUnits.has(unit)

/** Media features that a window's size decides. */
const windowFeatures = new Set(
  ['width', 'height', 'aspect-ratio', 'device-width', 'device-height', 'device-aspect-ratio'].flatMap((feature) => [
    feature,
    `min-${feature}`,
    `max-${feature}`,
  ]),
)
windowFeatures.add('orientation')

export const isWindowFeature = (feature: string) => windowFeatures.has(feature)

const heights = new Set(['height', 'min-height', 'max-height', 'block-size', 'min-block-size', 'max-block-size'])

/** Whether a percentage in the property may be a part of a height. A custom property may be used for one. */
export const isHeight = (property: string | undefined) =>
  property !== undefined && (heights.has(property) || property.startsWith('--'))

/** Heights that depend on the containing block. */
export const fillsHeight = (value: string) => value === 'stretch' || value === '-webkit-fill-available'
