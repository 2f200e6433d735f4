import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DefaultTheme, UserConfig } from 'vitepress'
import { CodeClasses } from './code-classes.ts'
import { withJoinedWords } from './search-words.ts'
import { firstLink, sectionsOf, sidebarOf } from './sidebar.ts'

/** The anchors that code hosts make of headings, so that a link works in both. */
const slugify = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** The configuration of VitePress. `root` is the repository. */
export function siteConfig(root: string): UserConfig<DefaultTheme.Config> {
  const sections = sectionsOf(readFileSync(join(root, 'docs/README.md'), 'utf8'))
  const classes = new CodeClasses()
  return {
    base: '/docs/',
    lang: 'en',
    title: 'Platen',
    description: 'Handlebars templates and HTML in, PDF files out',
    head: [['link', { rel: 'stylesheet', href: '/docs/code.css' }]],
    cleanUrls: true,
    // Otherwise VitePress writes an inline style, which the Content-Security-Policy of the site forbids.
    appearance: { disableTransition: false },
    // Otherwise each page has an inline script with data, which the Content-Security-Policy of the site forbids.
    metaChunk: true,
    router: { prefetchLinks: false },
    // One page after the other: the index of the search has them in the order in which they were read.
    buildConcurrency: 1,
    markdown: {
      html: false,
      anchor: { slugify },
      theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
      codeTransformers: [classes.transformer],
      config(md) {
        // Vue would evaluate the expressions of Handlebars.
        const { rules } = md.renderer
        for (const name of ['text', 'code_inline']) {
          const render = rules[name]
          rules[name] = (...args) => (render?.(...args) ?? '').replaceAll('{{', '&#123;&#123;')
        }
      },
    },
    // The names of styles are made of it. By default it has the path of the folder of the build, so that no two builds were the same.
    vue: {
      features: {
        componentIdGenerator: (path, source, _, getHash) => getHash(path.replace(/^.*node_modules\//, '') + source),
      },
    },
    vite: {
      build: { assetsInlineLimit: 0 },
      // The search of Algolia, which is neither used nor installed.
      resolve: { alias: { '@docsearch/js': 'vue' } },
      esbuild: { tsconfigRaw: '{}' },
      logLevel: 'error',
    },
    // Vue sets these styles again in the browser.
    transformHtml: (html) => html.replace(/ style="(position:relative|--vp-vh:0px);"/g, ''),
    buildEnd: ({ outDir }) => writeFile(join(outDir, 'code.css'), classes.css()),
    themeConfig: {
      // VitePress does not put `_render` into the page, as its name begins with an underscore.
      search: { provider: 'local', options: { _render: (source, env, md) => withJoinedWords(md.render(source, env)) } },
      sidebar: sidebarOf(sections),
      outline: [2, 3],
      nav: [
        ...sections.map(({ name, items }) => ({
          text: name,
          link: firstLink(items),
          activeMatch: `^/${name.toLowerCase()}/`,
        })),
        { text: 'API', link: '/api', target: '_self' },
      ],
    },
  }
}
