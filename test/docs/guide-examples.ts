import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '@platen/foundation/json/json.ts'
import { root } from './code-blocks.ts'

/**
 * A document that a page of docs/guides or docs/start shows. Its parts are the blocks of code ```html example=NAME, ```html header=NAME,
 * ```html footer=NAME, ```json data=NAME and ```json options=NAME. The page shows its printed pages as `pictures/guides/NAME-1.png`,
 * which `node scripts/write-pictures.ts` makes. With ```html from=NAME, the pictures show how they differ from those of that source.
 */
export interface GuideExample {
  /** The page of the documentation. */
  page: string
  name: string
  html: string
  data: Json
  options: Json
  header_html?: string
  footer_html?: string
  /** The source before. */
  from?: string
  /** The printed pages that are shown. */
  pictures: { page: number; path: string }[]
}

const chartJs = 'https://cdn.jsdelivr.net/npm/chart.js@4.6.1/dist/chart.umd.min.js'

export function guideExamples(): GuideExample[] {
  const pages = globSync('docs/{guides,start}/*.md', { cwd: root }).sort()
  return pages.flatMap((page) => examplesOf(page, readFileSync(join(root, page), 'utf8')))
}

function examplesOf(page: string, text: string): GuideExample[] {
  const blocks = [...fromHeredocs(text).matchAll(/^```(?:html|json) (\w+)=([\w-]+)\n(.*?)^```$/gms)]
  const part = (kind: string, of: string) => blocks.find(([, key, name]) => key === kind && name === of)?.[3]
  return blocks
    .filter(([, kind]) => kind === 'example')
    .map(([, , name = '', html = '']) => {
      const [header_html, footer_html, from] = [part('header', name), part('footer', name), part('from', name)]
      const shown = new RegExp(`\\]\\(\\.\\./(pictures/guides/${name}-(\\d+)\\.png)\\)`, 'g')
      return {
        page,
        name,
        html,
        data: JSON.parse(part('data', name) ?? '{}'),
        options: JSON.parse(part('options', name) ?? '{}'),
        ...(header_html !== undefined && { header_html }),
        ...(footer_html !== undefined && { footer_html }),
        ...(from !== undefined && { from }),
        pictures: [...text.matchAll(shown)].map(([, path = '', number]) => ({
          page: Number(number),
          path: `docs/${path}`,
        })),
      }
    })
}

/** The files that a page has its readers write: `cat > my-templates/NAME/template.html <<'EOF'`, and `data.json`. */
function fromHeredocs(text: string): string {
  const kinds = { 'template.html': 'html example', 'data.json': 'json data' }
  return text.replace(
    /^cat > my-templates\/([\w-]+)\/(template\.html|data\.json) <<'EOF'\n(.*?)^EOF$/gms,
    (_, name, file: keyof typeof kinds, content) => `\`\`\`${kinds[file]}=${name}\n${content}\`\`\``,
  )
}

/** The request of a preview that prints the example. Chart.js is put into the document, as tests have no internet. */
export function previewOf({ html, data, options, header_html, footer_html }: GuideExample) {
  const script = () =>
    `<script>${readFileSync(join(root, 'node_modules/chart.js/dist/chart.umd.min.js'), 'utf8')}</script>`
  const parts = { ...(header_html !== undefined && { header_html }), ...(footer_html !== undefined && { footer_html }) }
  return { html: html.replace(`<script src="${chartJs}"></script>`, script), data, options, ...parts }
}

/** Changes with what a picture shows. */
export function sourceHash({ html, data, options, header_html, footer_html, from }: GuideExample): string {
  return createHash('sha256')
    .update(JSON.stringify([html, data, options, header_html, footer_html, ...(from === undefined ? [] : [from])]))
    .digest('hex')
}

/** The hash of each example, when its pictures were made. */
export const hashesPath = join(root, 'docs/pictures/guides/sources.json')
