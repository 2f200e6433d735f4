const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** `8 s`, `3 min`, `2 h 5 min`, `4 d 3 h`. */
export function shortDuration(seconds: number): string {
  const whole = Math.round(seconds)
  if (whole < minute) return `${whole} s`
  if (whole < hour) return `${Math.floor(whole / minute)} min`
  if (whole < day) return joined(whole, [hour, 'h'], [minute, 'min'])
  return joined(whole, [day, 'd'], [hour, 'h'])
}

type Unit = readonly [seconds: number, name: string]

function joined(seconds: number, [large, name]: Unit, [small, smallName]: Unit): string {
  const rest = Math.floor((seconds % large) / small)
  return `${Math.floor(seconds / large)} ${name}${rest > 0 ? ` ${rest} ${smallName}` : ''}`
}

/** `512 MiB`, `1.2 GiB`. */
export function shortSize(bytes: number): string {
  if (bytes < 2 ** 30) return `${Math.round(bytes / 2 ** 20)} MiB`
  const gib = bytes / 2 ** 30
  return gib < 10 ? `${gib.toFixed(1)} GiB` : `${Math.round(gib)} GiB`
}
