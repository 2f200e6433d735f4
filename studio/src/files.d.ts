declare module '*.css'

/** The URL of a script that is built for a worker. */
declare module '*?worker' {
  const url: string

  export { url as default }
}
