import { type Static, Type } from 'typebox'

// What a document is made of besides HTML, as requests on the port for Gotenberg's clients ask for it.

/** A range of HTTP statuses, both ends included. */
export const StatusRange = Type.Object({ from: Type.Integer(), to: Type.Integer() })
export type StatusRange = Static<typeof StatusRange>

/** A page of the network that is printed instead of HTML of the request. */
export const PageSource = Type.Object({
  /** http or https. */
  url: Type.String(),
  /** An answer with one of these statuses makes the generation fail. */
  refused_statuses: Type.Optional(Type.Array(StatusRange)),
})
export type PageSource = Static<typeof PageSource>

/** A file of a request: its bytes, which are Base64 in JSON (RFC 4648, section 4). */
export const FileContent = Type.Union([
  Type.String(),
  Type.Refine(
    Type.Unsafe<Uint8Array>({}),
    (value) => value instanceof Uint8Array,
    () => 'must be bytes',
  ),
])
export type FileContent = Static<typeof FileContent>

export const bytesOf = (content: FileContent): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content, 'base64') : content

/** Files of a request by name. */
export const RequestFiles = Type.Record(Type.String(), FileContent)
export type RequestFiles = Static<typeof RequestFiles>

/** What is sent with the requests of a document. */
export const RequestExtras = Type.Object({
  headers: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        value: Type.String(),
        /** A regular expression: only URLs that it matches get the header. */
        scope: Type.Optional(Type.String()),
      }),
    ),
  ),
  cookies: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        value: Type.String(),
        /** A host, with or without a port; one that begins with a dot includes its subdomains. */
        domain: Type.String(),
        path: Type.Optional(Type.String()),
        secure: Type.Optional(Type.Boolean()),
      }),
    ),
  ),
  user_agent: Type.Optional(Type.String()),
})
export type RequestExtras = Static<typeof RequestExtras>

export const ScreenshotFormat = Type.Union([Type.Literal('png'), Type.Literal('jpeg'), Type.Literal('webp')])
export type ScreenshotFormat = Static<typeof ScreenshotFormat>

/** A picture of the document instead of a PDF. Lengths in CSS pixels. */
export const Screenshot = Type.Object({
  format: ScreenshotFormat,
  /** The size of the window. */
  width: Type.Integer(),
  height: Type.Integer(),
  /** The window only. Default: the whole document. */
  clip: Type.Optional(Type.Boolean()),
  /** A CSS selector: the first element that matches. */
  selector: Type.Optional(Type.String()),
  /** Of JPEG, 0 to 100. */
  quality: Type.Optional(Type.Integer()),
  device_scale_factor: Type.Optional(Type.Number()),
  /** Without the white background of a window. */
  omit_background: Type.Optional(Type.Boolean()),
  optimize_for_speed: Type.Optional(Type.Boolean()),
})
export type Screenshot = Static<typeof Screenshot>

/** What makes a generation fail after its document was loaded. */
export const Refusals = Type.Object({
  /** An uncaught error of a script. */
  exceptions: Type.Optional(Type.Boolean()),
  /** A resource that did not load for another reason than its status. */
  unloaded: Type.Optional(Type.Boolean()),
  /** A resource whose server answers with one of these statuses. */
  statuses: Type.Optional(Type.Array(StatusRange)),
  /** Hosts whose statuses do not count, with their subdomains. */
  ignored_hosts: Type.Optional(Type.Array(Type.String())),
  /** The expression of `options.wait_for` throws or is undefined. */
  undefined_expression: Type.Optional(Type.Boolean()),
})
export type Refusals = Static<typeof Refusals>

/** Why a generation failed, in `details.refused` of its failure. */
export type RefusedFor =
  | 'exceptions'
  | 'unloaded'
  | 'statuses'
  | 'expression'
  | 'screenshot_selector'
  | 'page_status'
  | 'page_forbidden'
  | 'page_unreachable'
