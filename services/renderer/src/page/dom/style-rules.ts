/** What a rule of a style sheet may have. */
export interface AnyRule extends CSSRule {
  cssRules?: CSSRuleList
  media?: MediaList
  selectorText?: string
  styleSheet?: CSSStyleSheet | null
}
