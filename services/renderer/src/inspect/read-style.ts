import { unescapeCss } from '@platen/templating/css/css-escapes.ts'
import { CssTokens } from '@platen/templating/css/css-tokens.ts'
import { urlKind } from '@platen/templating/html/url-kind.ts'

import type { Findings } from './findings.ts'
import { addPageDeclaration, withoutComments } from './page-rules.ts'
import { hasRareCharacters } from './rare-characters.ts'

const viewportUnits = new Set(
  ['', 's', 'l', 'd'].flatMap((size) => ['vw', 'vh', 'vi', 'vb', 'vmin', 'vmax'].map((unit) => size + unit)),
)
// Without a container, these are units of the viewport.
for (const unit of ['cqw', 'cqh', 'cqi', 'cqb', 'cqmin', 'cqmax']) viewportUnits.add(unit)

const isViewportUnit = (unit: string) => viewportUnits.has(unit)

/** Media features that a window's size decides. */
const windowFeatures = new Set(
  ['width', 'height', 'aspect-ratio', 'device-width', 'device-height', 'device-aspect-ratio'].flatMap((feature) => [
    feature,
    `min-${feature}`,
    `max-${feature}`,
  ]),
)
windowFeatures.add('orientation')

const isWindowFeature = (feature: string) => windowFeatures.has(feature)

const heights = new Set(['height', 'min-height', 'max-height', 'block-size', 'min-block-size', 'max-block-size'])

/** Whether a percentage in the property may be a part of a height. A custom property may be used for one. */
const isHeight = (property: string | undefined) =>
  property !== undefined && (heights.has(property) || property.startsWith('--'))

/** Heights that depend on the containing block. */
const fillsHeight = (value: string) => value === 'stretch' || value === '-webkit-fill-available'

/** The kind of a piece of CSS that is neither a style sheet nor a list of declarations. */
export interface StyleContext {
  /** The value of this property. */
  property?: string
  /** The prelude of this at-rule. */
  atRule?: string
}

/** Adds the findings of a piece of CSS. */
export function readStyle(css: string, findings: Findings, context: StyleContext = {}): void {
  new StyleReader(css, findings, context).read()
}

const openParenthesis = 0x28
const closeParenthesis = 0x29
const colon = 0x3a
const semicolon = 0x3b
const openBrace = 0x7b
const closeBrace = 0x7d

class StyleReader {
  readonly #css: string
  readonly #tokens: CssTokens
  readonly #findings: Findings
  /** The property whose value is being read. */
  #property: string | undefined
  /** The at-rule whose prelude is being read. */
  #atRule: string | undefined
  /** The start of that value or prelude. */
  #contentStart = 0
  /** The token before, if it was an identifier that may be a property. */
  #identifier: string | undefined
  /** The token before was `url(`. */
  #expectsUrl = false
  #braces = 0
  #parentheses = 0
  /** The depth of parentheses within `image-set(`, where strings are URLs. */
  #imageSet: number | undefined
  /** The depth of braces within a `@page` rule without a name. */
  #page: number | undefined

  constructor(css: string, findings: Findings, { property, atRule }: StyleContext) {
    this.#css = css
    this.#tokens = new CssTokens(css)
    this.#findings = findings
    this.#property = property
    this.#atRule = atRule
  }

  read(): void {
    for (let token = this.#tokens.next(); token !== undefined; token = this.#tokens.next()) {
      const identifier = this.#identifier
      const expectsUrl = this.#expectsUrl
      this.#identifier = undefined
      this.#expectsUrl = false
      if (token === 'mark') this.#readMark(this.#css.charCodeAt(this.#tokens.start), identifier)
      else if (token === 'identifier') this.#readIdentifier()
      else if (token === 'function') this.#readFunction()
      else if (token === 'at-keyword') this.#readAtKeyword()
      else if (token === 'url') this.#readUrl()
      else if (token === 'string') this.#readString(expectsUrl)
      else if (token === 'dimension' && isViewportUnit(this.#tokens.name())) this.#findings.viewportDependent = true
      else if (token === 'percentage' && isHeight(this.#property)) this.#findings.viewportDependent = true
    }
    this.#endDeclaration(this.#css.length)
  }

  #readMark(code: number, identifier: string | undefined): void {
    if (code === colon) {
      if (identifier !== undefined) this.#startDeclaration(identifier)
    } else if (code === openParenthesis) this.#parentheses++
    else if (code === closeParenthesis) {
      if (this.#parentheses === this.#imageSet) this.#imageSet = undefined
      this.#parentheses--
    } else if (code === semicolon) this.#endStatement()
    else if (code === openBrace) {
      this.#braces++
      if (this.#atRule === 'page' && withoutComments(this.#content(this.#tokens.start)).trim() === '')
        this.#page = this.#braces
      this.#endStatement()
    } else if (code === closeBrace) {
      this.#endStatement()
      if (this.#page === this.#braces) this.#page = undefined
      this.#braces--
    }
  }

  #readIdentifier(): void {
    if (this.#atRule === 'media' || this.#atRule === 'import') {
      const feature = this.#tokens.name()
      if (feature === 'scripting') this.#findings.script = true
      if (isWindowFeature(feature)) this.#findings.viewportDependent = true
    } else if (this.#property === undefined) this.#identifier = this.#tokens.name()
    else if (isHeight(this.#property) && fillsHeight(this.#tokens.name())) this.#findings.viewportDependent = true
  }

  #readFunction(): void {
    this.#parentheses++
    const name = this.#tokens.name()
    this.#expectsUrl = name === 'url' || name === 'src'
    if (name === 'image-set' || name === '-webkit-image-set') this.#imageSet = this.#parentheses
  }

  #readAtKeyword(): void {
    const name = this.#tokens.name()
    this.#atRule = name
    this.#contentStart = this.#tokens.end
    if (name === 'import') {
      // Whatever its URL: Chromium asks for imports ahead with a parser that reads almost anything as one.
      this.#findings.linkedStyles = true
      this.#findings.loads = true
      this.#findings.fetches = true
    }
    if (name === 'font-face') {
      this.#findings.fontFaces = true
      this.#findings.loads = true
    }
    if (name.endsWith('keyframes') || name === 'starting-style') this.#findings.moves = true
  }

  #readString(expectsUrl: boolean): void {
    if (expectsUrl || this.#parentheses === this.#imageSet) this.#readUrl()
    else if (!this.#findings.rareCharacters) {
      const text = this.#tokens.text()
      if (text.includes('\\')) this.#findings.rareCharacters = hasRareCharacters(unescapeCss(text))
    }
  }

  #readUrl(): void {
    // The URL of a namespace is a name.
    if (this.#atRule === 'namespace') return
    const kind = urlKind(unescapeCss(this.#tokens.text()))
    if (kind === 'inside') return
    this.#findings.loads = true
    if (kind !== 'data') this.#findings.fetches = true
  }

  #startDeclaration(property: string): void {
    this.#property = property
    this.#contentStart = this.#tokens.end
    if (property.includes('animation') || property.includes('transition')) this.#findings.animates = true
    else if (property.startsWith('padding') || property.startsWith('margin')) this.#findings.setsInset = true
  }

  #endStatement(): void {
    this.#endDeclaration(this.#tokens.start)
    this.#atRule = undefined
    this.#parentheses = 0
    this.#imageSet = undefined
  }

  #endDeclaration(end: number): void {
    if (this.#property !== undefined && this.#page !== undefined && this.#page === this.#braces) {
      this.#findings.pageRules ??= {}
      addPageDeclaration(this.#findings.pageRules, this.#property, this.#content(end))
    }
    this.#property = undefined
  }

  #content(end: number): string {
    return this.#css.slice(this.#contentStart, end)
  }
}
