"""The types of the HTTP API, made by `npm run generate` from the OpenAPI document of Platen.

A later version of Platen may send more fields, and other codes.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

__all__ = [
    "AppendedPdf",
    "Asset",
    "AssetPins",
    "AssetType",
    "Attachment",
    "AttachmentRelationship",
    "BackgroundStep",
    "Batch",
    "BatchCounts",
    "BatchItem",
    "BatchPlace",
    "BatchRequest",
    "BatchStatus",
    "CancelledStatus",
    "ChangedSamples",
    "ChangedTemplateOptions",
    "ChangedTranslations",
    "CompletedGeneration",
    "CompletedStatus",
    "ConformanceStep",
    "CreateTemplateRequest",
    "CustomMetadata",
    "Dictionary",
    "DocumentInfo",
    "EInvoiceProfile",
    "EInvoiceStandard",
    "EInvoiceStep",
    "Engine",
    "Erasure",
    "FailedStatus",
    "Failure",
    "GenerateAsyncInput",
    "GenerateInput",
    "GenerateOptions",
    "Generation",
    "GenerationCancelledData",
    "GenerationCancelledType",
    "GenerationCancelledWebhook",
    "GenerationCompletedData",
    "GenerationCompletedType",
    "GenerationCompletedWebhook",
    "GenerationFailedData",
    "GenerationFailedType",
    "GenerationFailedWebhook",
    "GenerationStatus",
    "GenerationWebhook",
    "ImageFormat",
    "ImagesStep",
    "JavascriptOption",
    "ListedPartial",
    "ListedTemplate",
    "Margin",
    "MediaFeatures",
    "MediaOption",
    "Metadata",
    "OutputOptions",
    "PaperFormat",
    "Partial",
    "PartialPin",
    "PartialPins",
    "PdfAConformance",
    "PdfMetadata",
    "PdfPermissions",
    "PdfUaConformance",
    "PreviewFormat",
    "PreviewOptions",
    "PreviewRequest",
    "ProtectStep",
    "RenderMode",
    "RequestedTemplate",
    "SampleData",
    "Samples",
    "SignStep",
    "Stamp",
    "StampLayer",
    "StampPosition",
    "StepResult",
    "Template",
    "TemplateLabels",
    "TemplateOptions",
    "TemplateVersion",
    "Translations",
    "UnsavedPartials",
    "UpdateTemplateRequest",
    "VisibleSignature",
    "WaitFor",
    "Warning",
    "WebhookSecret",
]


class AppendedPdf(TypedDict):
    """a PDF asset whose pages are added at the end"""

    asset: str
    """a PDF asset"""


class Asset(TypedDict):
    """A picture, font or style sheet that documents use."""

    name: str
    version: int
    """Counts the contents that the name has had."""
    type: AssetType
    bytes: int
    sha256: str
    references: list[str]
    """Of a style sheet or script: the assets that it names."""
    warnings: NotRequired[list[Warning]]
    """In the answer to an upload: what the file refers to and documents will lack. Absent if
    there is nothing.
    """
    created_at: str
    updated_at: str


# the SHA-256 of the assets that this version was saved with, by name
AssetPins: TypeAlias = "dict[str, str]"


# The media type, from its bytes. One of `image/png`, `image/jpeg`, `image/gif`, `image/webp`,
# `image/avif`, `image/svg+xml`, `font/woff2`, `font/woff`, `font/ttf`, `font/otf`,
# `font/collection`, `text/css`, `text/javascript`, `application/pdf`; later versions may add
# others.
AssetType: TypeAlias = "str"


class Attachment(TypedDict):
    """a file in the PDF; exactly one of asset and content_base64"""

    name: str
    """the file name, without folders"""
    media_type: str
    description: NotRequired[str]
    relationship: NotRequired[AttachmentRelationship]
    asset: NotRequired[str]
    """an asset of any type"""
    content_base64: NotRequired[str]
    """the bytes in Base64 (RFC 4648, section 4)"""


# default: unspecified. One of `source`, `data`, `alternative`, `supplement`, `unspecified`; later
# versions may add others.
AttachmentRelationship: TypeAlias = "str"


class BackgroundStep(TypedDict):
    """a PDF asset under the pages: its first page under the first one, and its last page under
    all others
    """

    asset: str
    """a PDF asset"""
    pages: NotRequired[str]
    """`all`, `first`, `last`, or ascending page numbers and ranges"""


class Batch(TypedDict):
    """Many documents that were requested at once."""

    id: str
    status: BatchStatus
    created_at: str
    total: int
    """the number of its items"""
    counts: BatchCounts
    metadata: NotRequired[Metadata]
    ended_at: NotRequired[str]


class BatchCounts(TypedDict):
    queued: int
    rendering: int
    completed: int
    failed: int
    cancelled: int


class BatchItem(TypedDict):
    """what it leaves out, it has from the batch"""

    html: NotRequired[str]
    """HTML, or a Handlebars template if data is given"""
    template: NotRequired[str]
    """template id or slug"""
    template_version: NotRequired[int]
    """requires template. Default: its newest version"""
    template_label: NotRequired[str]
    """requires template: the version that has this label, instead of template_version"""
    options: NotRequired[GenerateOptions]
    metadata: NotRequired[Metadata]
    file_name: NotRequired[str]
    """the name under which clients save the PDF. `{{customer.number}}` is replaced with this
    value of the data, `{{index}}` with the place of the item
    """
    data: NotRequired[dict[str, Any]]


class BatchPlace(TypedDict):
    id: str
    index: int


class BatchRequest(TypedDict):
    html: NotRequired[str]
    """HTML, or a Handlebars template if data is given"""
    template: NotRequired[str]
    """template id or slug"""
    template_version: NotRequired[int]
    """requires template. Default: its newest version"""
    template_label: NotRequired[str]
    """requires template: the version that has this label, instead of template_version"""
    options: NotRequired[GenerateOptions]
    metadata: NotRequired[Metadata]
    file_name: NotRequired[str]
    """the name under which clients save the PDF. `{{customer.number}}` is replaced with this
    value of the data, `{{index}}` with the place of the item
    """
    webhook_url: NotRequired[str]
    """a POST is sent to it when the batch has ended"""
    items: list[BatchItem]


BatchStatus: TypeAlias = Literal["running", "cancelling", "completed", "cancelled"]


CancelledStatus: TypeAlias = Literal["cancelled"]


# named sets of sample data, at most 50 and 256 KiB
ChangedSamples: TypeAlias = "dict[str, SampleData] | None"


class ChangedTemplateOptions(TypedDict):
    """defaults for `options` of a request, which override them field by field"""

    format: NotRequired[PaperFormat]
    landscape: NotRequired[bool]
    """swaps the sides of the format"""
    width: NotRequired[str]
    """of the sheet, with a unit; default: that of the format"""
    height: NotRequired[str]
    """of the sheet, with a unit; default: that of the format"""
    prefer_css_page_size: NotRequired[bool]
    """the document's `@page { size }` chooses the paper"""
    single_page: NotRequired[bool]
    """one page, as tall as the document"""
    media: NotRequired[MediaOption]
    media_features: NotRequired[MediaFeatures]
    margin: NotRequired[Margin]
    print_background: NotRequired[bool]
    """prints background colours and pictures"""
    scale: NotRequired[float]
    """the size of the content on the sheet"""
    page_ranges: NotRequired[str]
    """default: all pages. Ascending"""
    javascript: NotRequired[JavascriptOption]
    wait_for: NotRequired[WaitFor]
    finish_animations: NotRequired[bool]
    """runs animations and timers of up to 5 s to their end, in virtual time, before the print"""
    timeout_ms: NotRequired[int]
    """how long the document may take to load and print; at most the limit of the deployment,
    which is the default
    """
    base_url: NotRequired[str]
    """http or https: the relative URLs of the document are resolved with it"""
    outline: NotRequired[bool]
    """bookmarks from the headings h1 to h6; this also tags the PDF"""
    tagged: NotRequired[bool]
    """include the document structure, for assistive technology"""
    form_fields: NotRequired[bool]
    """inputs, text areas and selects of the document become form fields of the PDF, which can be
    filled in
    """
    document_info: NotRequired[DocumentInfo]
    locale: NotRequired[str]
    """default: en-US. A language tag, or {{path}}: the data have it there. The default of every
    helper, of the digits of contents lists, and of scripts
    """
    timezone: NotRequired[str]
    """default: UTC. A name of the IANA database, or {{path}}: the data have it there. For
    helpers and scripts
    """
    fail_on: NotRequired[list[str]]
    """default: none. A warning with one of these codes makes the generation fail with
    RENDER_FAILED
    """
    strict: NotRequired[bool]
    """a value that the template prints and the data does not have is a TEMPLATE_RENDER_ERROR"""
    output: NotRequired[OutputOptions]


# the texts that {{t "key"}} prints, by language tag and key, at most 50 languages and 128 KiB
ChangedTranslations: TypeAlias = "dict[str, Dictionary] | None"


class CompletedGeneration(TypedDict):
    """A generation whose PDF can be fetched."""

    id: str
    status: GenerationStatus
    created_at: str
    owner_id: NotRequired[str]
    """in a list of all owners"""
    template: NotRequired[TemplateVersion]
    metadata: NotRequired[Metadata]
    file_name: NotRequired[str]
    """as requested"""
    batch: NotRequired[BatchPlace]
    retry_of: NotRequired[str]
    """the generation whose input it has"""
    operation: NotRequired[str]
    """of /v1/pdf; absent for a printed document"""
    poll_url: NotRequired[str]
    """present while queued or rendering"""
    url: str
    """signed URL of the file, valid for a limited time; needs no API key"""
    pages: int
    size: int
    """bytes"""
    media_type: NotRequired[str]
    """of the file; absent for application/pdf"""
    steps: NotRequired[list[StepResult]]
    """what was done after the print; absent if nothing was"""
    duration_ms: int
    engine: NotRequired[Engine]
    helpers_sha256: NotRequired[str]
    """SHA-256 of the template's own helpers, in hex; absent if it has none"""
    warnings: list[Warning]
    """problems that did not make the generation fail; at most 93"""
    error: NotRequired[Failure]
    input_kept_until: NotRequired[str]
    """until then the input is stored, so that the document can be rendered again; absent if it
    is not
    """
    erased_at: NotRequired[str]
    """when the PDF and the input were deleted for good"""


CompletedStatus: TypeAlias = Literal["completed"]


class ConformanceStep(TypedDict):
    """the standard that the PDF says to follow; what it violates is refused or warned of"""

    pdf_a: NotRequired[PdfAConformance]
    pdf_ua: NotRequired[PdfUaConformance]


class CreateTemplateRequest(TypedDict):
    name: str
    html: str
    """Handlebars source, at most 512 KiB"""
    sample_data: NotRequired[dict[str, Any]]
    options: NotRequired[TemplateOptions]
    header_html: NotRequired[str]
    """Handlebars source of the header of each page, at most 64 KiB; `options.header_html` of a
    request overrides it
    """
    footer_html: NotRequired[str]
    """Handlebars source of the footer of each page, at most 64 KiB; `options.footer_html` of a
    request overrides it
    """
    data_schema: NotRequired[dict[str, Any]]
    """JSON Schema (2020-12) that the data of a request and the samples must match, at most 64
    KiB
    """
    samples: NotRequired[Samples]
    translations: NotRequired[Translations]
    helpers: NotRequired[str]
    """JavaScript that exports the helpers of the template, at most 64 KiB; an operator allows it
    with OWN_HELPERS=on
    """
    follow_partials: NotRequired[bool]
    """documents use the newest versions of partials, instead of those that the template was
    saved with
    """
    retain_input: NotRequired[int]
    """days for which the input is kept, encrypted, so that the document can be rendered again;
    0: not. Default: as the deployment has it, usually 0
    """
    slug: NotRequired[str]
    """lower-case letters and digits, in words that are joined by hyphens; 409 if another
    template has it. Default: derived from the name
    """


# entries of the document information with names of your own: letters, digits and _, at most 50 each
CustomMetadata: TypeAlias = "dict[str, str]"


Dictionary: TypeAlias = "dict[str, str]"


class DocumentInfo(TypedDict):
    """replaces the document's <title> and <meta name=author, description and keywords> in the
    PDF
    """

    title: NotRequired[str]
    author: NotRequired[str]
    subject: NotRequired[str]
    keywords: NotRequired[str]


# One of `minimum`, `basic-wl`, `basic`, `en16931`, `extended`, `xrechnung`; later versions may add
# others.
EInvoiceProfile: TypeAlias = "str"


# Factur-X 1.0, which is ZUGFeRD 2. One of `factur-x`; later versions may add others.
EInvoiceStandard: TypeAlias = "str"


class EInvoiceStep(TypedDict):
    """a PDF/A-3b with the invoice as XML in it"""

    standard: EInvoiceStandard
    profile: EInvoiceProfile
    xml: str
    """the invoice in UN/CEFACT CII; a Handlebars template, as the document is"""


class Engine(TypedDict):
    name: str
    version: str
    mode: RenderMode


class Erasure(TypedDict):
    generation_id: str
    erased_at: str
    objects: int
    """files that existed: the PDF, those of other attempts, the input; of an item of a batch,
    those that had it with other items, which are written anew
    """
    dead_letters: int
    """render commands with the input that had failed"""
    sha256: NotRequired[str]
    """of the PDF, in hex: which file is gone"""
    input_sha256: NotRequired[str]
    """of the kept input as it was stored, encrypted; in hex: its key is gone, too"""


FailedStatus: TypeAlias = Literal["failed"]


class Failure(TypedDict):
    code: str
    message: str
    details: NotRequired[Any]
    """depends on the code: for VALIDATION_ERROR a list of `{path, message}`"""


class GenerateAsyncInput(TypedDict):
    """What to queue."""

    html: NotRequired[str]
    """HTML, or a Handlebars template if data is given"""
    template: NotRequired[str]
    """template id or slug"""
    template_version: NotRequired[int]
    """requires template. Default: its newest version"""
    template_label: NotRequired[str]
    """requires template: the version that has this label, instead of template_version"""
    data: NotRequired[dict[str, Any]]
    options: NotRequired[GenerateOptions]
    metadata: NotRequired[Metadata]
    file_name: NotRequired[str]
    """the name under which clients save the file; `.pdf`, or the ending of its type, is added if
    it is missing
    """
    retain_input: NotRequired[int]
    """days for which the input is kept, encrypted, so that the document can be rendered again;
    0: not. Default: as the deployment has it, usually 0
    """
    webhook_url: NotRequired[str]
    """requires async: true; a POST is sent to it when the generation has ended"""


class GenerateInput(TypedDict):
    """What to print: `html` or `template`."""

    html: NotRequired[str]
    """HTML, or a Handlebars template if data is given"""
    template: NotRequired[str]
    """template id or slug"""
    template_version: NotRequired[int]
    """requires template. Default: its newest version"""
    template_label: NotRequired[str]
    """requires template: the version that has this label, instead of template_version"""
    data: NotRequired[dict[str, Any]]
    options: NotRequired[GenerateOptions]
    metadata: NotRequired[Metadata]
    file_name: NotRequired[str]
    """the name under which clients save the file; `.pdf`, or the ending of its type, is added if
    it is missing
    """
    retain_input: NotRequired[int]
    """days for which the input is kept, encrypted, so that the document can be rendered again;
    0: not. Default: as the deployment has it, usually 0
    """


class GenerateOptions(TypedDict):
    format: NotRequired[PaperFormat]
    landscape: NotRequired[bool]
    """swaps the sides of the format"""
    width: NotRequired[str]
    """of the sheet, with a unit; default: that of the format"""
    height: NotRequired[str]
    """of the sheet, with a unit; default: that of the format"""
    prefer_css_page_size: NotRequired[bool]
    """the document's `@page { size }` chooses the paper"""
    single_page: NotRequired[bool]
    """one page, as tall as the document"""
    media: NotRequired[MediaOption]
    media_features: NotRequired[MediaFeatures]
    margin: NotRequired[Margin]
    header_html: NotRequired[str]
    """HTML; elements of the classes pageNumber, totalPages, date, title and url are filled in,
    and elements with data-platen-pages, such as "first", "last" or "not first", are printed
    on these pages only; data-platen-carry shows sums that are carried forward
    """
    footer_html: NotRequired[str]
    """HTML; elements of the classes pageNumber, totalPages, date, title and url are filled in,
    and elements with data-platen-pages, such as "first", "last" or "not first", are printed
    on these pages only; data-platen-carry shows sums that are carried forward
    """
    print_background: NotRequired[bool]
    """prints background colours and pictures"""
    scale: NotRequired[float]
    """the size of the content on the sheet"""
    page_ranges: NotRequired[str]
    """default: all pages. Ascending"""
    javascript: NotRequired[JavascriptOption]
    wait_for: NotRequired[WaitFor]
    finish_animations: NotRequired[bool]
    """runs animations and timers of up to 5 s to their end, in virtual time, before the print"""
    timeout_ms: NotRequired[int]
    """how long the document may take to load and print; at most the limit of the deployment,
    which is the default
    """
    base_url: NotRequired[str]
    """http or https: the relative URLs of the document are resolved with it"""
    outline: NotRequired[bool]
    """bookmarks from the headings h1 to h6; this also tags the PDF"""
    tagged: NotRequired[bool]
    """include the document structure, for assistive technology"""
    form_fields: NotRequired[bool]
    """inputs, text areas and selects of the document become form fields of the PDF, which can be
    filled in
    """
    document_info: NotRequired[DocumentInfo]
    locale: NotRequired[str]
    """default: en-US. A language tag, or {{path}}: the data have it there. The default of every
    helper, of the digits of contents lists, and of scripts
    """
    timezone: NotRequired[str]
    """default: UTC. A name of the IANA database, or {{path}}: the data have it there. For
    helpers and scripts
    """
    fail_on: NotRequired[list[str]]
    """default: none. A warning with one of these codes makes the generation fail with
    RENDER_FAILED
    """
    strict: NotRequired[bool]
    """a value that the template prints and the data does not have is a TEMPLATE_RENDER_ERROR"""
    output: NotRequired[OutputOptions]


class Generation(TypedDict):
    """The state of one generated PDF."""

    id: str
    status: GenerationStatus
    created_at: str
    owner_id: NotRequired[str]
    """in a list of all owners"""
    template: NotRequired[TemplateVersion]
    metadata: NotRequired[Metadata]
    file_name: NotRequired[str]
    """as requested"""
    batch: NotRequired[BatchPlace]
    retry_of: NotRequired[str]
    """the generation whose input it has"""
    operation: NotRequired[str]
    """of /v1/pdf; absent for a printed document"""
    poll_url: NotRequired[str]
    """present while queued or rendering"""
    url: NotRequired[str]
    """signed URL of the file, valid for a limited time; needs no API key"""
    pages: NotRequired[int]
    size: NotRequired[int]
    """bytes"""
    media_type: NotRequired[str]
    """of the file; absent for application/pdf"""
    steps: NotRequired[list[StepResult]]
    """what was done after the print; absent if nothing was"""
    duration_ms: NotRequired[int]
    engine: NotRequired[Engine]
    helpers_sha256: NotRequired[str]
    """SHA-256 of the template's own helpers, in hex; absent if it has none"""
    warnings: NotRequired[list[Warning]]
    """problems that did not make the generation fail; at most 93"""
    error: NotRequired[Failure]
    input_kept_until: NotRequired[str]
    """until then the input is stored, so that the document can be rendered again; absent if it
    is not
    """
    erased_at: NotRequired[str]
    """when the PDF and the input were deleted for good"""


class GenerationCancelledData(TypedDict):
    id: str
    created_at: str
    api_key_id: str
    template: NotRequired[RequestedTemplate]
    metadata: Metadata
    file_name: str
    operation: NotRequired[str]
    """of /v1/pdf, such as merge"""
    generation_url: str
    """with an API key: the generation, with a newly signed `url`"""
    status: CancelledStatus


GenerationCancelledType: TypeAlias = Literal["generation.cancelled"]


class GenerationCancelledWebhook(TypedDict):
    type: GenerationCancelledType
    timestamp: str
    data: GenerationCancelledData


class GenerationCompletedData(TypedDict):
    id: str
    created_at: str
    api_key_id: str
    template: NotRequired[RequestedTemplate]
    metadata: Metadata
    file_name: str
    operation: NotRequired[str]
    """of /v1/pdf, such as merge"""
    generation_url: str
    """with an API key: the generation, with a newly signed `url`"""
    status: CompletedStatus
    url: str
    """signed URL of the file; needs no API key"""
    url_expires_at: str
    pages: int
    size: int
    """bytes"""
    sha256: str
    """of the file, in hexadecimal"""
    duration_ms: int
    warnings: list[Warning]
    media_type: NotRequired[str]
    """of the file; absent for application/pdf"""
    steps: NotRequired[list[StepResult]]


GenerationCompletedType: TypeAlias = Literal["generation.completed"]


class GenerationCompletedWebhook(TypedDict):
    type: GenerationCompletedType
    timestamp: str
    data: GenerationCompletedData


class GenerationFailedData(TypedDict):
    id: str
    created_at: str
    api_key_id: str
    template: NotRequired[RequestedTemplate]
    metadata: Metadata
    file_name: str
    operation: NotRequired[str]
    """of /v1/pdf, such as merge"""
    generation_url: str
    """with an API key: the generation, with a newly signed `url`"""
    status: FailedStatus
    error: Failure


GenerationFailedType: TypeAlias = Literal["generation.failed"]


class GenerationFailedWebhook(TypedDict):
    type: GenerationFailedType
    timestamp: str
    data: GenerationFailedData


GenerationStatus: TypeAlias = Literal["queued", "rendering", "completed", "failed", "cancelled"]


GenerationWebhook: TypeAlias = (
    "GenerationCompletedWebhook | GenerationFailedWebhook | GenerationCancelledWebhook"
)


# One of `png`, `jpeg`, `webp`; later versions may add others.
ImageFormat: TypeAlias = "str"


class ImagesStep(TypedDict):
    """pictures of the pages instead of the PDF: of one page that picture, of several pages a ZIP
    file
    """

    format: ImageFormat
    pages: NotRequired[str]
    """`all`, `first`, `last`, or ascending page numbers and ranges"""
    width: NotRequired[int]
    """of each picture, in pixels"""
    dpi: NotRequired[int]
    """pixels per inch"""


# default: auto, which runs scripts when the document contains any
JavascriptOption: TypeAlias = Literal["auto", "on", "off"]


class ListedPartial(TypedDict):
    id: str
    name: str
    html: NotRequired[str]
    version: int
    created_at: str
    updated_at: str


class ListedTemplate(TypedDict):
    id: str
    name: str
    slug: str
    html: NotRequired[str]
    sample_data: NotRequired[dict[str, Any]]
    options: NotRequired[TemplateOptions]
    header_html: NotRequired[str]
    """Handlebars source of the header of each page, at most 64 KiB; `options.header_html` of a
    request overrides it
    """
    footer_html: NotRequired[str]
    """Handlebars source of the footer of each page, at most 64 KiB; `options.footer_html` of a
    request overrides it
    """
    data_schema: NotRequired[dict[str, Any]]
    """JSON Schema (2020-12) that the data of a request and the samples must match, at most 64
    KiB
    """
    samples: NotRequired[Samples]
    translations: NotRequired[Translations]
    helpers: NotRequired[str]
    """JavaScript that exports the helpers of the template, at most 64 KiB; an operator allows it
    with OWN_HELPERS=on
    """
    follow_partials: NotRequired[bool]
    """documents use the newest versions of partials, instead of those that the template was
    saved with
    """
    retain_input: NotRequired[int]
    """days for which the input is kept, encrypted, so that the document can be rendered again;
    0: not. Default: as the deployment has it, usually 0
    """
    partials: NotRequired[PartialPins]
    assets: NotRequired[AssetPins]
    labels: NotRequired[TemplateLabels]
    version: int
    created_at: str
    updated_at: str
    deleted_at: NotRequired[str]
    """present in a list of deleted templates, which have no content; `version` is that of the
    deletion
    """


class Margin(TypedDict):
    """default: top 20, bottom 20, left 15, right 15"""

    top: NotRequired[float]
    """millimetres"""
    bottom: NotRequired[float]
    """millimetres"""
    left: NotRequired[float]
    """millimetres"""
    right: NotRequired[float]
    """millimetres"""


# values of CSS media features
MediaFeatures: TypeAlias = "dict[str, str]"


# default: print: the CSS media type that applies
MediaOption: TypeAlias = Literal["print", "screen"]


# your own references, such as the number of an order: at most 16 entries, keys of 1 to 64 and
# values of up to 512 characters. Returned with the generation, its webhook and its events, and a
# filter of lists
Metadata: TypeAlias = "dict[str, str]"


class OutputOptions(TypedDict):
    """what is done to the PDF after the print, in the order of the fields"""

    background: NotRequired[BackgroundStep]
    append: NotRequired[list[AppendedPdf]]
    stamps: NotRequired[list[Stamp]]
    metadata: NotRequired[PdfMetadata]
    attachments: NotRequired[list[Attachment]]
    """files in the PDF, each with another name"""
    conformance: NotRequired[ConformanceStep]
    e_invoice: NotRequired[EInvoiceStep]
    images: NotRequired[ImagesStep]
    protect: NotRequired[ProtectStep]
    sign: NotRequired[SignStep]


# default: A4. One of `A4`, `A3`, `A5`, `Letter`, `Legal`, `Tabloid`; later versions may add others.
PaperFormat: TypeAlias = "str"


class Partial(TypedDict):
    """A stored fragment that templates call by its name."""

    id: str
    name: str
    html: str
    version: int
    created_at: str
    updated_at: str


class PartialPin(TypedDict):
    id: str
    version: int


# the versions of partials that this version was saved with, by name
PartialPins: TypeAlias = "dict[str, PartialPin]"


# PDF/A-1b, -2b or -3b (ISO 19005). 1b has no transparency; files may be attached to 3b only. One of
# `1b`, `2b`, `3b`; later versions may add others.
PdfAConformance: TypeAlias = "str"


class PdfMetadata(TypedDict):
    """replaces the fields that are given"""

    title: NotRequired[str]
    author: NotRequired[str]
    subject: NotRequired[str]
    keywords: NotRequired[list[str]]
    creator: NotRequired[str]
    custom: NotRequired[CustomMetadata]
    created_at: NotRequired[str]
    """RFC 3339"""


class PdfPermissions(TypedDict):
    """what who opens the PDF without the owner password may do; default: everything"""

    print: NotRequired[bool]
    extract: NotRequired[bool]
    modify: NotRequired[bool]
    annotate: NotRequired[bool]
    fill_forms: NotRequired[bool]
    assemble: NotRequired[bool]


# PDF/UA-1 (ISO 14289-1). One of `1`; later versions may add others.
PdfUaConformance: TypeAlias = "str"


# default: pdf
PreviewFormat: TypeAlias = Literal["pdf", "png"]


class PreviewOptions(TypedDict):
    """override those of the template field by field"""

    format: NotRequired[PaperFormat]
    landscape: NotRequired[bool]
    """swaps the sides of the format"""
    width: NotRequired[str]
    """of the sheet, with a unit; default: that of the format"""
    height: NotRequired[str]
    """of the sheet, with a unit; default: that of the format"""
    prefer_css_page_size: NotRequired[bool]
    """the document's `@page { size }` chooses the paper"""
    single_page: NotRequired[bool]
    """one page, as tall as the document"""
    media: NotRequired[MediaOption]
    media_features: NotRequired[MediaFeatures]
    margin: NotRequired[Margin]
    print_background: NotRequired[bool]
    """prints background colours and pictures"""
    scale: NotRequired[float]
    """the size of the content on the sheet"""
    page_ranges: NotRequired[str]
    """default: all pages. Ascending"""
    javascript: NotRequired[JavascriptOption]
    wait_for: NotRequired[WaitFor]
    finish_animations: NotRequired[bool]
    """runs animations and timers of up to 5 s to their end, in virtual time, before the print"""
    timeout_ms: NotRequired[int]
    """how long the document may take to load and print; at most the limit of the deployment,
    which is the default
    """
    base_url: NotRequired[str]
    """http or https: the relative URLs of the document are resolved with it"""
    outline: NotRequired[bool]
    """bookmarks from the headings h1 to h6; this also tags the PDF"""
    tagged: NotRequired[bool]
    """include the document structure, for assistive technology"""
    form_fields: NotRequired[bool]
    """inputs, text areas and selects of the document become form fields of the PDF, which can be
    filled in
    """
    document_info: NotRequired[DocumentInfo]
    locale: NotRequired[str]
    """default: en-US. A language tag, or {{path}}: the data have it there. The default of every
    helper, of the digits of contents lists, and of scripts
    """
    timezone: NotRequired[str]
    """default: UTC. A name of the IANA database, or {{path}}: the data have it there. For
    helpers and scripts
    """
    fail_on: NotRequired[list[str]]
    """default: none. A warning with one of these codes makes the generation fail with
    RENDER_FAILED
    """
    strict: NotRequired[bool]
    """a value that the template prints and the data does not have is a TEMPLATE_RENDER_ERROR"""
    output: NotRequired[OutputOptions]


class PreviewRequest(TypedDict):
    template: NotRequired[str]
    """template id or slug"""
    template_version: NotRequired[int]
    """requires template. Default: its newest version"""
    template_label: NotRequired[str]
    """requires template: the version that has this label, instead of template_version"""
    html: NotRequired[str]
    """unsaved Handlebars source; replaces that of the template"""
    header_html: NotRequired[str]
    """Handlebars source of the header of each page, at most 64 KiB; `options.header_html` of a
    request overrides it
    """
    footer_html: NotRequired[str]
    """Handlebars source of the footer of each page, at most 64 KiB; `options.footer_html` of a
    request overrides it
    """
    partials: NotRequired[UnsavedPartials]
    translations: NotRequired[Translations]
    helpers: NotRequired[str]
    """JavaScript that exports the helpers of the template, at most 64 KiB; an operator allows it
    with OWN_HELPERS=on
    """
    options: NotRequired[PreviewOptions]
    data: NotRequired[dict[str, Any]]
    sample: NotRequired[str]
    """a set of `samples` of the template, instead of data"""
    format: NotRequired[PreviewFormat]
    page: NotRequired[int]
    """of a png. Default: 1"""
    width: NotRequired[int]
    """pixels of a png. Default: 1,000"""
    client: NotRequired[str]
    """id of the viewer, such as an editor: a newer preview of the same client and API key
    cancels older ones
    """


class ProtectStep(TypedDict):
    """encrypts with AES-256. Passwords are not stored with a template"""

    user_password: NotRequired[str]
    """needed to open the PDF, at most 127 bytes in UTF-8; default: none"""
    owner_password: NotRequired[str]
    """gives all permissions, at most 127 bytes in UTF-8; default: a random one"""
    permissions: NotRequired[PdfPermissions]


# One of `static`, `scripted`, `tools`; later versions may add others.
RenderMode: TypeAlias = "str"


class RequestedTemplate(TypedDict):
    id: str
    version: int
    slug: str


SampleData: TypeAlias = "dict[str, Any]"


# named sets of sample data, at most 50 and 256 KiB
Samples: TypeAlias = "dict[str, SampleData]"


class SignStep(TypedDict):
    """a PAdES signature, always the last step"""

    key: str
    """the name of a signing key of the deployment"""
    reason: NotRequired[str]
    location: NotRequired[str]
    visible: NotRequired[VisibleSignature]


class Stamp(TypedDict):
    """a text, a picture or a PDF page over or under the pages; exactly one of text and asset"""

    text: NotRequired[str]
    """{{page}} and {{pages}} are the number of the page and of all pages"""
    asset: NotRequired[str]
    """a PNG or JPEG picture, or a PDF, whose first page is the stamp"""
    layer: NotRequired[StampLayer]
    pages: NotRequired[str]
    """`all`, `first`, `last`, or ascending page numbers and ranges"""
    position: NotRequired[StampPosition]
    x: NotRequired[float]
    """millimetres to the right of the position"""
    y: NotRequired[float]
    """millimetres down from the position"""
    width: NotRequired[float]
    """millimetres; default: that of the asset or of the text"""
    rotation: NotRequired[float]
    """degrees, counter-clockwise"""
    opacity: NotRequired[float]
    font_size: NotRequired[float]
    """points"""
    color: NotRequired[str]
    """default: #000000"""


# default: over the content of the page
StampLayer: TypeAlias = Literal["over", "under"]


# default: center
StampPosition: TypeAlias = Literal[
    "center",
    "top-left",
    "top-center",
    "top-right",
    "middle-left",
    "middle-right",
    "bottom-left",
    "bottom-center",
    "bottom-right",
]


class StepResult(TypedDict):
    step: str
    """an operation of /v1/pdf, a field of options.output, or form_fields"""
    bytes: int
    """the size of the result"""
    sha256: str
    """SHA-256 of the result, in hex"""
    ms: int
    """how long the step took"""


class Template(TypedDict):
    """A stored Handlebars template."""

    id: str
    name: str
    slug: str
    html: str
    sample_data: dict[str, Any]
    options: NotRequired[TemplateOptions]
    header_html: NotRequired[str]
    """Handlebars source of the header of each page, at most 64 KiB; `options.header_html` of a
    request overrides it
    """
    footer_html: NotRequired[str]
    """Handlebars source of the footer of each page, at most 64 KiB; `options.footer_html` of a
    request overrides it
    """
    data_schema: NotRequired[dict[str, Any]]
    """JSON Schema (2020-12) that the data of a request and the samples must match, at most 64
    KiB
    """
    samples: NotRequired[Samples]
    translations: NotRequired[Translations]
    helpers: NotRequired[str]
    """JavaScript that exports the helpers of the template, at most 64 KiB; an operator allows it
    with OWN_HELPERS=on
    """
    follow_partials: NotRequired[bool]
    """documents use the newest versions of partials, instead of those that the template was
    saved with
    """
    retain_input: NotRequired[int]
    """days for which the input is kept, encrypted, so that the document can be rendered again;
    0: not. Default: as the deployment has it, usually 0
    """
    partials: NotRequired[PartialPins]
    assets: NotRequired[AssetPins]
    labels: NotRequired[TemplateLabels]
    version: int
    created_at: str
    updated_at: str


# the versions that have a label, by label
TemplateLabels: TypeAlias = "dict[str, int]"


class TemplateOptions(TypedDict):
    """defaults for `options` of a request, which override them field by field"""

    format: NotRequired[PaperFormat]
    landscape: NotRequired[bool]
    """swaps the sides of the format"""
    width: NotRequired[str]
    """of the sheet, with a unit; default: that of the format"""
    height: NotRequired[str]
    """of the sheet, with a unit; default: that of the format"""
    prefer_css_page_size: NotRequired[bool]
    """the document's `@page { size }` chooses the paper"""
    single_page: NotRequired[bool]
    """one page, as tall as the document"""
    media: NotRequired[MediaOption]
    media_features: NotRequired[MediaFeatures]
    margin: NotRequired[Margin]
    print_background: NotRequired[bool]
    """prints background colours and pictures"""
    scale: NotRequired[float]
    """the size of the content on the sheet"""
    page_ranges: NotRequired[str]
    """default: all pages. Ascending"""
    javascript: NotRequired[JavascriptOption]
    wait_for: NotRequired[WaitFor]
    finish_animations: NotRequired[bool]
    """runs animations and timers of up to 5 s to their end, in virtual time, before the print"""
    timeout_ms: NotRequired[int]
    """how long the document may take to load and print; at most the limit of the deployment,
    which is the default
    """
    base_url: NotRequired[str]
    """http or https: the relative URLs of the document are resolved with it"""
    outline: NotRequired[bool]
    """bookmarks from the headings h1 to h6; this also tags the PDF"""
    tagged: NotRequired[bool]
    """include the document structure, for assistive technology"""
    form_fields: NotRequired[bool]
    """inputs, text areas and selects of the document become form fields of the PDF, which can be
    filled in
    """
    document_info: NotRequired[DocumentInfo]
    locale: NotRequired[str]
    """default: en-US. A language tag, or {{path}}: the data have it there. The default of every
    helper, of the digits of contents lists, and of scripts
    """
    timezone: NotRequired[str]
    """default: UTC. A name of the IANA database, or {{path}}: the data have it there. For
    helpers and scripts
    """
    fail_on: NotRequired[list[str]]
    """default: none. A warning with one of these codes makes the generation fail with
    RENDER_FAILED
    """
    strict: NotRequired[bool]
    """a value that the template prints and the data does not have is a TEMPLATE_RENDER_ERROR"""
    output: NotRequired[OutputOptions]


class TemplateVersion(TypedDict):
    id: str
    version: int


# the texts that {{t "key"}} prints, by language tag and key, at most 50 languages and 128 KiB
Translations: TypeAlias = "dict[str, Dictionary]"


# unsaved sources of partials, by name; they replace the stored ones
UnsavedPartials: TypeAlias = "dict[str, str]"


class UpdateTemplateRequest(TypedDict):
    name: NotRequired[str]
    html: NotRequired[str]
    """Handlebars source, at most 512 KiB"""
    sample_data: NotRequired[dict[str, Any]]
    header_html: NotRequired[str | None]
    """Handlebars source of the header of each page, at most 64 KiB; `options.header_html` of a
    request overrides it
    """
    footer_html: NotRequired[str | None]
    """Handlebars source of the footer of each page, at most 64 KiB; `options.footer_html` of a
    request overrides it
    """
    helpers: NotRequired[str | None]
    """JavaScript that exports the helpers of the template, at most 64 KiB; an operator allows it
    with OWN_HELPERS=on
    """
    follow_partials: NotRequired[bool | None]
    """documents use the newest versions of partials, instead of those that the template was
    saved with
    """
    retain_input: NotRequired[int | None]
    """days for which the input is kept, encrypted, so that the document can be rendered again;
    0: not. Default: as the deployment has it, usually 0
    """
    options: NotRequired[ChangedTemplateOptions | None]
    data_schema: NotRequired[dict[str, Any] | None]
    """JSON Schema (2020-12) that the data of a request and the samples must match, at most 64
    KiB
    """
    samples: NotRequired[ChangedSamples]
    translations: NotRequired[ChangedTranslations]


class VisibleSignature(TypedDict):
    """default: the signature is not shown"""

    page: NotRequired[int]
    x: float
    """millimetres from the left"""
    y: float
    """millimetres from the top"""
    width: float
    """millimetres"""
    height: float
    """millimetres"""
    text: NotRequired[str]


class WaitFor(TypedDict):
    """exactly one of selector, expression and ms; needs scripts"""

    selector: NotRequired[str]
    """CSS selector; waits until an element matches"""
    expression: NotRequired[str]
    """JavaScript expression; waits until it is truthy in the document. A promise is awaited"""
    ms: NotRequired[int]
    """waits this many milliseconds after the document has loaded"""


class Warning(TypedDict):
    code: str
    message: str
    element: NotRequired[str]
    """RESOURCE_FAILED: what refers to the resource"""
    path: NotRequired[str]
    """MISSING_VALUE and OBJECT_PRINTED: the place in the data; MISSING_TRANSLATION: the key"""
    source: NotRequired[str]
    """of a warning with a `path`: the source that prints it, in which `line` and `column` are"""
    line: NotRequired[int]
    """counts from 1"""
    column: NotRequired[int]
    """counts from 1"""
    page: NotRequired[int]
    """in a preview, if it is known: the first page of the PDF that it is about"""


class WebhookSecret(TypedDict):
    secret: str
