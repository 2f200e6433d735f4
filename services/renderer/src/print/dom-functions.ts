/**
 * Functions for the isolated world. A document hides properties by the names of its elements (`[LegacyOverrideBuiltIns]` in Web IDL):
 * `<input name=id>` those of its form, and `<img name=body>` those of the document, which Chromium does in its main world only. `get`
 * and `call` are for an element that may be a form, `dom` has the properties of the document. They begin at the prototypes, which
 * scripts of the document do not reach.
 */
export const domFunctions = `
  const get = (object, name) => Reflect.get(Object.getPrototypeOf(object), name, object)
  const call = (object, name, ...values) => Reflect.apply(get(object, name), object, values)
  const dom = new Proxy({}, {
    get(_, name) {
      const value = get(document, name)
      return typeof value === 'function' ? value.bind(document) : value
    },
  })`
