/**
 * The globals of a script and the function that calls its helpers. It runs before the script and keeps references to
 * what it needs, so that a script that replaces `JSON` or a prototype harms only itself. Arguments and results are JSON
 * texts: no object passes the boundary.
 */
export const prelude = `(now) => {
  'use strict'
  const { parse, stringify } = JSON
  const SystemDate = Date
  const JobDate = function Date(...given) {
    if (new.target === undefined) return new SystemDate(now).toString()
    return Reflect.construct(SystemDate, given.length === 0 ? [now] : given, new.target)
  }
  JobDate.prototype = SystemDate.prototype
  JobDate.prototype.constructor = JobDate
  Object.assign(JobDate, { now: () => now, parse: SystemDate.parse, UTC: SystemDate.UTC })
  globalThis.Date = JobDate
  Math.random = () => {
    throw new TypeError('Math.random would give another document each time')
  }
  class SafeString {
    constructor(text) { this.text = String(text) }
    toString() { return this.text }
    toHTML() { return this.text }
  }
  const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;', '\`': '&#x60;', '=': '&#x3D;' }
  const escapeExpression = (value) => {
    if (value instanceof SafeString) return value.text
    return value === undefined || value === null ? '' : String(value).replace(/[&<>"'\`=]/g, (found) => entities[found])
  }
  globalThis.Handlebars = Object.freeze({ SafeString, escapeExpression })
  return (helper, json) => {
    const { args, absent, options } = parse(json)
    for (const index of absent) args[index] = undefined
    const result = helper(...args, options)
    if (result instanceof SafeString) return stringify({ html: result.text })
    const type = typeof result
    if (type === 'function' || type === 'symbol' || type === 'bigint') throw new TypeError('it returns a ' + type)
    if (type === 'object' && result !== null && typeof result.then === 'function') {
      throw new TypeError('it returns a promise, and helpers are not asynchronous')
    }
    return stringify({ value: result })
  }
}`
