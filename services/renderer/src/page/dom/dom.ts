/**
 * A document hides properties by the names of its elements (`[LegacyOverrideBuiltIns]` in Web IDL): `<input name=id>` those of its form,
 * and `<img name=body>` those of the document, which Chromium does in its main world only. `get` and `call` are for an element that may
 * be a form, `dom` has the properties of the document. They begin at the prototypes, which scripts of the document do not reach.
 */
export function get<T extends object, Name extends keyof T>(object: T, name: Name): T[Name] {
  return Reflect.get(Object.getPrototypeOf(object), name, object)
}

type Methods<T> = { [Name in keyof T]: T[Name] extends (...values: never[]) => unknown ? Name : never }[keyof T]
type Method = (...values: unknown[]) => unknown

export function call<T extends object, Name extends Methods<T>>(
  object: T,
  name: Name,
  ...values: T[Name] extends (...values: infer Values) => unknown ? Values : never
): T[Name] extends (...values: never[]) => infer Result ? Result : never {
  return Reflect.apply(get(object, name) as Method, object, values) as never
}

export const dom = new Proxy({} as Document, {
  get(_, name: keyof Document) {
    const value = get(document, name)
    return typeof value === 'function' ? value.bind(document) : value
  },
})

export type Styles = Readonly<Record<string, string>>

/** Styles that no rule of the document overrides. */
export function set(element: HTMLElement, styles: Styles): void {
  for (const [name, value] of Object.entries(styles)) get(element, 'style').setProperty(name, value, 'important')
}

/** Returns what gives an attribute the value that it has now. */
export function keepAttribute(element: Element, name: string): () => void {
  const value = call(element, 'getAttribute', name)
  return () => {
    if (value === null) call(element, 'removeAttribute', name)
    else call(element, 'setAttribute', name, value)
  }
}
