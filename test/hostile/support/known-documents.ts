/** Documents whose PDF shows most changes of a page: sizes, fonts, media, colours, and state that scripts can read. */
export const knownDocuments = {
  static: `<style>
      :root { color-scheme: light dark } body { font: 12pt/1.4 sans-serif } td { border: 1px solid; width: 10vw }
      p { color: CanvasText; background: Canvas } @media (prefers-color-scheme: dark) { p { color: red } }
      a:visited { color: lime } @media (min-width: 700px) { i { font-weight: bold } } </style>
    <h1 style="font-family: x, Stolen, serif">Known</h1><p>Text in <i>italics</i>, <a href="http://127.0.0.1/">a link</a></p>
    <table><tr><td>1<td>2</table><svg width=60 height=60><circle cx=30 cy=30 r=20 fill=teal /></svg>
    <img width=20 src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'%3E%3Crect width='9' height='9'/%3E%3C/svg%3E">`,
  scripted: `<h1 id=h>Known</h1><script>
      h.textContent += [innerWidth, devicePixelRatio, document.title, name, history.length, document.cookie, navigator.onLine,
        matchMedia('print').matches, Intl.DateTimeFormat().resolvedOptions().timeZone, navigator.language].join('|')
    </script>`,
}

/** The content of a PDF without its dates and id. */
export function timeless(pdf: Uint8Array): string {
  return Buffer.from(pdf)
    .toString('latin1')
    .replace(/\/(CreationDate|ModDate) ?\([^)]*\)/g, '')
    .replace(/\/ID ?\[[^\]]*\]/g, '')
}
