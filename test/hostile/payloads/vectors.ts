import type { Payload } from './payload.ts'

const svg =
  (inner: (http: string) => string): Payload['html'] =>
  ({ http }) =>
    `<svg width=200 height=200 xmlns:xlink="http://www.w3.org/1999/xlink">${inner(http)}</svg>`

/** Requests made by SVG. */
export const vectors: Payload[] = [
  { name: 'svg-image', html: svg((http) => `<image width=99 height=99 href="${http}/a.svg"/>`) },
  { name: 'svg-image-xlink', html: svg((http) => `<image width=99 height=99 xlink:href="${http}/a.svg"/>`) },
  { name: 'svg-use', reaches: 'none', html: svg((http) => `<use href="${http}/a.svg#s"/>`) },
  {
    name: 'svg-feimage',
    html: svg(
      (http) => `<filter id=f><feImage href="${http}/a.svg"/></filter><rect width=99 height=99 filter=url(#f) />`,
    ),
  },
  { name: 'svg-script', html: svg((http) => `<script href="${http}/a.js"></script>`) },
  { name: 'svg-style', html: svg((http) => `<style>@import url(${http}/a.css);</style><rect width=9 height=9 />`) },
  { name: 'svg-mask', html: svg((http) => `<rect width=99 height=99 mask="url(${http}/a.svg#m)"/>`) },
  { name: 'svg-fill', html: svg((http) => `<rect width=99 height=99 fill="url(${http}/a.svg#p)"/>`) },
  {
    name: 'svg-foreign-object',
    html: svg((http) => `<foreignObject width=99 height=99><iframe src="${http}/a.html"></iframe></foreignObject>`),
  },
  {
    name: 'svg-set-href',
    html: svg((http) => `<image width=99 height=99><set attributeName=href to="${http}/a.svg"/></image>`),
  },
  {
    name: 'svg-text-path',
    reaches: 'none',
    html: svg((http) => `<text><textPath href="${http}/a.svg#t">x</textPath></text>`),
  },
  {
    name: 'svg-in-image',
    reaches: 'none',
    html: ({ http }) => {
      const image = `<image width="99" height="99" href="${http}/a.svg"/>`
      const outer = `<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99">${image}</svg>`
      return `<img src="data:image/svg+xml,${encodeURIComponent(outer)}">`
    },
  },
  {
    name: 'xml-stylesheet-and-entity',
    reaches: 'none',
    html: ({ http }) => {
      const prolog = `<?xml-stylesheet type="text/xsl" href="${http}/a.xsl"?><!DOCTYPE x [<!ENTITY e SYSTEM "${http}/e">]>`
      const xml = `${prolog}<x xmlns:h="http://www.w3.org/1999/xhtml"><h:img src="${http}/a.svg"/>&e;</x>`
      return `<iframe src="data:text/xml,${encodeURIComponent(xml)}"></iframe>`
    },
  },
  {
    name: 'mathml',
    html: ({ http }) =>
      `<math href="${http}/a.html"><annotation-xml encoding="text/html"><img src="${http}/a.svg"></annotation-xml></math>`,
  },
]
