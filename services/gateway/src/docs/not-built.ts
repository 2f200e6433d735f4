export const notBuiltStyle = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 40rem; margin: 4rem auto; padding: 0 1rem }
code { font: 0.875rem/1.5 ui-monospace, monospace }
`

/** The page that is shown until the site is built. It reloads by itself. */
export const notBuilt = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="5">
<title>Platen documentation</title>
<style>${notBuiltStyle}</style>
<main>
<h1>The documentation is not built yet</h1>
<p>After its first start, <code>npm start</code> builds it in the background, which takes about a minute. This page then shows it.
If that fails, the log says why. <code>npm run docs</code> builds it for services that run as separate processes.</p>
<p>The <a href="/docs/api">API reference</a> and the <a href="/docs/events">events</a> are there at once.</p>
</main>
</html>
`
