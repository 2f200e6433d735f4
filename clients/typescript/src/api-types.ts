// Made by `npm run generate` from the OpenAPI document of Platen.

export interface paths {
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Liveness: the process responds
         * @description It does not depend on other services. An orchestrator restarts a process that does not respond.
         */
        get: operations["livez"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Readiness, with the state of each dependency
         * @description 503 while a dependency is unavailable or the process is shutting down. With an API key of the scope `admin` also `details`, such as the browsers and their version.
         */
        get: operations["readyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics in the Prometheus text format
         * @description Requests, queues, rendering, deliveries and the process. docs/operate/metrics.md lists them. Those of each owner are for an API key of the scope `admin`.
         */
        get: operations["metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the file of a generation
         * @description The signed, expiring `url` of a generation. It needs no API key. Range requests are supported.
         */
        get: operations["getFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who is signed in
         * @description Works with an API key, too: it says which one that is.
         */
        get: operations["getSession"];
        put?: never;
        /**
         * Begin a session of the studio
         * @description Sets a cookie that is accepted instead of the API key from pages of this server, until it expires (`SESSION_TTL_S`), or the key is revoked, or its secret is no longer accepted after a rotation. The cookie has no secret.
         */
        post: operations["createSession"];
        /**
         * End the session of this browser
         * @description Removes the cookie, and no copy of it is accepted any more. With an API key, which begins no session, nothing ends.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List templates
         * @description A page of very large templates may have fewer items than `limit`. `next_cursor` is present if there are more.
         *
         *     Needs the scope `templates:read`.
         */
        get: operations["listTemplates"];
        put?: never;
        /**
         * Create a template
         * @description The template is compiled before it is stored. Without `slug` the slug is derived from the name; a rename keeps it.
         *
         *     Needs the scope `templates:write`.
         */
        post: operations["createTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/by-slug/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Create or replace a template by its slug
         * @description For deployments: creates the template with this slug, or makes its next version with exactly this content. A field that is absent is removed. The same content again changes nothing, unless a partial or asset that it names has changed since: the new version is saved with the current ones.
         *
         *     Needs the scope `templates:write`.
         */
        put: operations["putTemplate"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{idOrSlug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a template by id or slug
         * @description The `ETag` is the version, and after a dot the revision of its labels, if it has any. With a matching `If-None-Match` the response is a 304.
         *
         *     Needs the scope `templates:read`.
         */
        get: operations["getTemplate"];
        put?: never;
        post?: never;
        /**
         * Delete a template
         * @description Needs the scope `templates:write`.
         */
        delete: operations["deleteTemplate"];
        options?: never;
        head?: never;
        /**
         * Update a template
         * @description Absent fields keep their values, and `null` removes an optional one. As `application/merge-patch+json` (RFC 7396), objects are merged into the current ones instead of replacing them. A change creates the next version. With `If-Match: "<version>"` the update fails with 412 if the template is at another version.
         *
         *     Needs the scope `templates:write`.
         */
        patch: operations["updateTemplate"];
        trace?: never;
    };
    "/v1/templates/{idOrSlug}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a template
         * @description Newest first. The versions of a deleted template are listed under its id; the last of them is the deletion.
         *
         *     Needs the scope `templates:read`.
         */
        get: operations["listTemplateVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{idOrSlug}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a version of a template
         * @description The template as it was. A version never changes.
         *
         *     Needs the scope `templates:read`.
         */
        get: operations["getTemplateVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{idOrSlug}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a version of a template
         * @description Makes a new version with the content of an older one, and with the partials and assets that it was saved with. A deleted template is restored by its id, and gets its slug back; 409 if another template has that now.
         *
         *     Needs the scope `templates:write`.
         */
        post: operations["restoreTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{idOrSlug}/labels/{label}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Give a version of a template a label
         * @description A label that exists moves to the version. `template_label` of a request to generate chooses the version that has it. A template may have 50 labels.
         *
         *     Needs the scope `templates:write`.
         */
        put: operations["setTemplateLabel"];
        post?: never;
        /**
         * Remove a label of a template
         * @description Needs the scope `templates:write`.
         */
        delete: operations["removeTemplateLabel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/helpers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the helpers that every template may call
         * @description In the order of the documentation. The own helpers of a template are not among them.
         *
         *     Needs the scope `templates:read`.
         */
        get: operations["listHelpers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{idOrSlug}/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare two versions of a template
         * @description Sources are compared by lines, as unified diffs; other fields by the paths in them. At most 500 differences are listed.
         *
         *     With `pages=true` the pages are compared, too: see `POST`, which takes the data of the request. The key then needs the scope `generate`, too, as documents are printed.
         *
         *     Needs the scope `templates:read`.
         */
        get: operations["compareTemplateVersions"];
        put?: never;
        /**
         * Compare two versions of a template as pages
         * @description As `GET` with `pages=true`, with data of the request, and with areas that do not count.
         *
         *     Pages: both versions are printed with the same data, and their pages are compared by pixels. They are paired by what they contain, so an inserted page is one `added` page. A page is `same`, `changed` with boxes around what differs, `added` or `removed`.
         *
         *     Nothing is recorded. It takes the time and the fairness of a synchronous request, for at most 200 pages of each version. The key needs the scope `generate`, too.
         *
         *     Needs the scopes `templates:read` and `generate`.
         */
        post: operations["compareTemplatePages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/generations/{id}/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare the pages of two generations
         * @description Their PDFs are compared by pixels, such as that of a retry with that of the generation before. Pages are paired by what they contain, so an inserted page is one `added` page.
         *
         *     Nothing is printed and nothing recorded. Each may have at most 200 pages.
         *
         *     Needs the scope `generations:read`.
         */
        get: operations["compareGenerations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/assets/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an asset
         * @description Without its bytes. The `ETag` is the SHA-256 of the bytes.
         *
         *     Needs the scope `templates:read`.
         */
        get: operations["getAsset"];
        /**
         * Upload an asset
         * @description The body is the bytes of a PNG, JPEG, GIF, WebP, AVIF, SVG, WOFF2, WOFF, TTF, OTF, TTC, CSS or JavaScript file. The type comes from the bytes; a `Content-Type` that says otherwise is refused. The same bytes again change nothing. Documents use it as `asset:<name>`; a template version keeps the content that it was saved with.
         *
         *     Needs the scope `templates:write`.
         */
        put: operations["putAsset"];
        post?: never;
        /**
         * Delete an asset
         * @description An asset that a style sheet or the newest or a labelled version of a template names is deleted with `force=true` only: 409 otherwise. Template versions that were saved with it still print it. Inline HTML does not.
         *
         *     Needs the scope `templates:write`.
         */
        delete: operations["deleteAsset"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/assets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List assets
         * @description Sorted by name. `next_cursor` is present if there are more.
         *
         *     Needs the scope `templates:read`.
         */
        get: operations["listAssets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/assets/{name}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the bytes of an asset
         * @description Needs the scope `templates:read`.
         */
        get: operations["getAssetContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/assets/{name}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the contents that an asset has had
         * @description Newest first, also of a deleted asset.
         *
         *     Needs the scope `templates:read`.
         */
        get: operations["listAssetVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/assets/{name}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what uses an asset
         * @description The newest and the labelled versions of templates that name it, also through partials and style sheets, with the version of the asset that they print, and the style sheets that name it. Also of a deleted asset.
         *
         *     Needs the scope `templates:read`.
         */
        get: operations["getAssetUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/partials/{idOrName}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a partial
         * @description Newest first, also of a deleted partial. `next_cursor` is present if there are more.
         *
         *     Needs the scope `templates:read`.
         */
        get: operations["listPartialVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/partials/{idOrName}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a version of a partial
         * @description Also of a deleted partial.
         *
         *     Needs the scope `templates:read`.
         */
        get: operations["getPartialVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/partials/{idOrName}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what uses a partial
         * @description The newest and the labelled versions of templates that use it, with the version of the partial, and the partials that call it.
         *
         *     Needs the scope `templates:read`.
         */
        get: operations["getPartialUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/partials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List partials
         * @description Sorted by name. `next_cursor` is present if there are more.
         *
         *     Needs the scope `templates:read`.
         */
        get: operations["listPartials"];
        put?: never;
        /**
         * Create a partial
         * @description Templates print it as `{{> name}}`, layouts as `{{#> name}}…{{/name}}`. It is compiled before it is stored, and the partials that it calls must exist. The name does not change.
         *
         *     Needs the scope `templates:write`.
         */
        post: operations["createPartial"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/partials/{idOrName}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a partial by id or name
         * @description The `ETag` is the version. With a matching `If-None-Match` the response is a 304.
         *
         *     Needs the scope `templates:read`.
         */
        get: operations["getPartial"];
        put?: never;
        post?: never;
        /**
         * Delete a partial
         * @description Its versions stay readable, and templates that were saved with one print as before. The response says how many use it.
         *
         *     Needs the scope `templates:write`.
         */
        delete: operations["deletePartial"];
        options?: never;
        head?: never;
        /**
         * Change a partial
         * @description A change creates the next version. Templates print the version that they were saved with, until they are saved again, unless they follow partials. With `If-Match: "<version>"` the update fails with 412 if the partial is at another version.
         *
         *     Needs the scope `templates:write`.
         */
        patch: operations["updatePartial"];
        trace?: never;
    };
    "/v1/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate a PDF
         * @description From inline `html` or from a stored `template`. Exactly one of the two is required.
         *
         *     Synchronous by default: 200 with the result. With `async: true`, or `Prefer: respond-async`: 202, to be polled.
         *
         *     With `Accept: application/pdf` the 200 is the PDF itself. Without it, `GET /v1/generations/{id}/file` has the PDF. Of pictures (`options.output.images`) it is the same with `image/png`, `image/jpeg`, `image/webp` or, for several, `application/zip`.
         *
         *     Inline `html` is a Handlebars template only if `data` is given. Without `data` it is printed unchanged.
         *
         *     The `x-generation-id` header identifies the generation, also in error responses.
         *
         *     Needs the scope `generate`.
         */
        post: operations["generate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/generations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the generations of the owner
         * @description `metadata[order]=2026-0042` lists those with this metadata; `metadata.order=2026-0042` is the same. Several filters must all match.
         *
         *     A request looks at a limited number of generations. A page may have fewer items than `limit`, or none, and still a `next_cursor`: it goes on there.
         *
         *     Needs the scope `generations:read`.
         */
        get: operations["listGenerations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/generations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a generation
         * @description With `wait`, the response is delayed until the generation has ended or the time is over. A failed generation is a 200 with `status: failed` and `error`.
         *
         *     Needs the scope `generations:read`.
         */
        get: operations["getGeneration"];
        put?: never;
        post?: never;
        /**
         * Cancel a queued or rendering generation
         * @description Needs the scope `generate`.
         */
        delete: operations["cancelGeneration"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/generations/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what happened to a generation, with times
         * @description From the request through queue, attempts and phases to each attempt of its webhook. A key with the scope `admin` gets that of any owner.
         *
         *     Needs the scope `generations:read`.
         */
        get: operations["getGenerationTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/generations/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Render the document of a generation that has ended again
         * @description As a new generation with the same input, template version, `metadata`, `file_name` and `webhook_url`, and with `retry_of`. `input_kept_until` of the generation says until when this works: the input is stored for `retain_input` days; inputs over 640 KiB, and those of batches, also without it, for the retention of inputs (7 days by default). Without one the response is a 409 that says why, and the request is sent again by whoever has its data.
         *
         *     With `template_version` or `template_label` the data and options of the request are rendered with that version of the template. That needs an input that was kept with `retain_input`.
         *
         *     The input of the new generation is kept only for an API key with the scope `generations:read`.
         *
         *     Needs the scope `generate`.
         */
        post: operations["retryGeneration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/generations/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete the PDF and the stored input of a generation for good
         * @description The generation stays in lists, with `erased_at`; its file answers 410 `GENERATION_ERASED`. The event `ContentErased` is the receipt. A request that has failed may be repeated: it deletes what is left.
         *
         *     Needs the scope `generate`.
         */
        delete: operations["eraseGenerationContent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pdf/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge PDFs
         * @description Tags, links, outlines and form fields are kept. With `outline`, each PDF has an entry of the outline, and its own outline below it.
         *
         *     The result is a generation like that of `POST /v1/generate`, with `operation`. It is answered like it: synchronously, as a file with `Accept`, or with `async`. `output` has steps that are done afterwards.
         *
         *     Needs the scope `generate`.
         */
        post: operations["mergePdfs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pdf/split": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Split a PDF
         * @description The result is a ZIP file with the PDFs: one for each of `ranges`, or one for each `every` pages.
         *
         *     The result is a generation like that of `POST /v1/generate`, with `operation`. It is answered like it: synchronously, as a file with `Accept`, or with `async`. `output` has steps that are done afterwards.
         *
         *     Needs the scope `generate`.
         */
        post: operations["splitPdf"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pdf/stamp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stamp the pages of a PDF
         * @description With texts, pictures or PDF pages, over or under the content of the pages.
         *
         *     The result is a generation like that of `POST /v1/generate`, with `operation`. It is answered like it: synchronously, as a file with `Accept`, or with `async`. `output` has steps that are done afterwards.
         *
         *     Needs the scope `generate`.
         */
        post: operations["stampPdf"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pdf/protect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Encrypt a PDF
         * @description With AES-256, passwords and permissions.
         *
         *     The result is a generation like that of `POST /v1/generate`, with `operation`. It is answered like it: synchronously, as a file with `Accept`, or with `async`. `output` has steps that are done afterwards.
         *
         *     Needs the scope `generate`.
         */
        post: operations["protectPdf"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pdf/unlock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove the encryption of a PDF
         * @description The `password` of the source is needed, unless it opens without one.
         *
         *     The result is a generation like that of `POST /v1/generate`, with `operation`. It is answered like it: synchronously, as a file with `Accept`, or with `async`. `output` has steps that are done afterwards.
         *
         *     Needs the scope `generate`.
         */
        post: operations["unlockPdf"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pdf/attach": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Attach files to a PDF
         * @description Files are assets, or are sent in the request.
         *
         *     The result is a generation like that of `POST /v1/generate`, with `operation`. It is answered like it: synchronously, as a file with `Accept`, or with `async`. `output` has steps that are done afterwards.
         *
         *     Needs the scope `generate`.
         */
        post: operations["attachToPdf"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pdf/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the metadata of a PDF
         * @description In its document information and in its XMP. `metadata` of the request are your own references.
         *
         *     The result is a generation like that of `POST /v1/generate`, with `operation`. It is answered like it: synchronously, as a file with `Accept`, or with `async`. `output` has steps that are done afterwards.
         *
         *     Needs the scope `generate`.
         */
        post: operations["setPdfMetadata"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pdf/flatten": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn form fields into page content
         * @description They look as before, and cannot be edited.
         *
         *     The result is a generation like that of `POST /v1/generate`, with `operation`. It is answered like it: synchronously, as a file with `Accept`, or with `async`. `output` has steps that are done afterwards.
         *
         *     Needs the scope `generate`.
         */
        post: operations["flattenPdf"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pdf/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate pages of a PDF
         * @description Clockwise, in addition to the rotation that the pages have.
         *
         *     The result is a generation like that of `POST /v1/generate`, with `operation`. It is answered like it: synchronously, as a file with `Accept`, or with `async`. `output` has steps that are done afterwards.
         *
         *     Needs the scope `generate`.
         */
        post: operations["rotatePdf"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pdf/optimize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a PDF smaller
         * @description What is in it twice is stored once, and what nothing refers to is left out.
         *
         *     The result is a generation like that of `POST /v1/generate`, with `operation`. It is answered like it: synchronously, as a file with `Accept`, or with `async`. `output` has steps that are done afterwards.
         *
         *     Needs the scope `generate`.
         */
        post: operations["optimizePdf"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pdf/images": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Draw the pages of a PDF
         * @description As PNG, JPEG or WebP. The result is the picture of one page, or a ZIP file with those of several.
         *
         *     The result is a generation like that of `POST /v1/generate`, with `operation`. It is answered like it: synchronously, as a file with `Accept`, or with `async`. `output` has steps that are done afterwards.
         *
         *     Needs the scope `generate`.
         */
        post: operations["drawPdfPages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pdf/convert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a PDF/A, a PDF/UA or an e-invoice
         * @description At least one of `conformance` and `e_invoice`. A rule that cannot be met is a 422 that names it.
         *
         *     The result is a generation like that of `POST /v1/generate`, with `operation`. It is answered like it: synchronously, as a file with `Accept`, or with `async`. `output` has steps that are done afterwards.
         *
         *     Needs the scope `generate`.
         */
        post: operations["convertPdf"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pdf/sign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign a PDF
         * @description With a key of the deployment. Signatures that the PDF has stay valid.
         *
         *     The result is a generation like that of `POST /v1/generate`, with `operation`. It is answered like it: synchronously, as a file with `Accept`, or with `async`. `output` has steps that are done afterwards.
         *
         *     Needs the scope `generate`.
         */
        post: operations["signPdf"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pdf/fill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fill the form of a PDF
         * @description Fields of an AcroForm, by their full names. A field that the form does not have is a 422.
         *
         *     The result is a generation like that of `POST /v1/generate`, with `operation`. It is answered like it: synchronously, as a file with `Accept`, or with `async`. `output` has steps that are done afterwards.
         *
         *     Needs the scope `generate`.
         */
        post: operations["fillPdfForm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the batches of the owner
         * @description Needs the scope `generations:read`.
         */
        get: operations["listBatches"];
        put?: never;
        /**
         * Generate many PDFs
         * @description Each item is a request to generate; what it leaves out, it has from the batch. All items that name a template are printed with one version of it.
         *
         *     As JSON with up to 1,000 `items`, or as `application/x-ndjson` with an item in each of up to 100,000 lines, whose common fields are parameters of the query.
         *
         *     Refused as a whole if an item is invalid; the error names the lines. Generations of items that fail later do not stop the others.
         *
         *     Needs the scope `generate`.
         */
        post: operations["createBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a batch with the progress of its items
         * @description Needs the scope `generations:read`.
         */
        get: operations["getBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches/{id}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the items of a batch, in order
         * @description Needs the scope `generations:read`.
         */
        get: operations["listBatchItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a batch
         * @description Items that have not begun are cancelled; those that have begun or ended stay as they are.
         *
         *     Needs the scope `generate`.
         */
        post: operations["cancelBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the progress of a batch
         * @description Server-sent events: `progress` with the batch as JSON, at once and after each change, at most twice a second. The last one is `end`, and the response ends. After a broken connection request it again.
         *
         *     Needs the scope `generations:read`.
         */
        get: operations["followBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches/{id}/files.zip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the PDFs of a batch as a ZIP
         * @description When the batch has ended. In order, under the file names of the items; a name that occurs twice gets the place of the item. Failed, cancelled and erased items are left out, and those whose PDF is past its retention.
         *
         *     Needs the scope `generations:read`.
         */
        get: operations["getBatchZip"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches/{id}/merged.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the PDFs of a batch as one PDF
         * @description When the batch has ended: the pages of its items, in order. Up to 1,000 pages and 50 MiB together; more are a 422, and the ZIP has them. Failed, cancelled and erased items are left out. It has their tags, links and form fields, and an outline with an entry for each.
         *
         *     Needs the scope `generations:read`.
         */
        get: operations["getBatchPdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a template or an unsaved source
         * @description Prints a stored `template`, or an unsaved source (`html`) with the look of the `template` if both are given. Data: `data`, a `sample` of the template, or its `sample_data`.
         *
         *     The response is the PDF, or with `format: png` a picture of one page of it. A client that asks for `application/vnd.platen.preview+json` in `Accept` gets `{format, pages, size, warnings, engine, duration_ms, content}` instead, with the file in Base64 in `content`; generated clients know one kind of a response.
         *
         *     Nothing is recorded: no generation, event, file or webhook. A newer preview of the same `client` ends an older one, which answers 409.
         *
         *     Needs the scope `generate`.
         */
        post: operations["preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/generations/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhook deliveries of a generation, with every attempt
         * @description Empty if the generation has not ended or has no webhook.
         *
         *     Needs the scope `generations:read`.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/generations/{id}/deliveries/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the webhook of a generation again
         * @description With the same `webhook-id` and body. The schedule of attempts begins again.
         *
         *     Needs the scope `generate`.
         */
        post: operations["redeliverGeneration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhook deliveries of a batch, with every attempt
         * @description Empty if the batch has not ended or has no webhook.
         *
         *     Needs the scope `generations:read`.
         */
        get: operations["listBatchDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhook deliveries of the owner, with their attempts
         * @description Those that were scheduled in the last 90 days, and older ones that are pending. Of each delivery there are the newest 20 attempts; `GET /v1/deliveries/{id}` has all.
         *
         *     A request looks at a limited number of deliveries. A page may have fewer items than `limit`, or none, and still a `next_cursor`: it goes on there.
         *
         *     Needs the scope `generations:read`.
         */
        get: operations["findDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook delivery with every attempt
         * @description Needs the scope `generations:read`.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deliveries/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a webhook again
         * @description With the same `webhook-id` and body. The schedule of attempts begins again.
         *
         *     Needs the scope `generate`.
         */
        post: operations["redeliverDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deliveries/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the webhooks of a time range again
         * @description For example those that have failed while a receiver was down. The range may go back 90 days.
         *
         *     Needs the scope `generate`.
         */
        post: operations["redeliverRange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/generations/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the file of a generation with an API key
         * @description Range requests are supported. If the object store is reachable for clients, the response to an API key is a redirect to it; do not send the key there.
         *
         *     Needs the scope `generations:read`.
         */
        get: operations["getGenerationFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the secret that signs the owner's webhooks
         * @description Webhooks follow Standard Webhooks 1.0.0. Verify `webhook-signature` with this secret.
         *
         *     Needs the scope `generate` or `generations:read`.
         */
        get: operations["getWebhookSecret"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the webhook secret
         * @description Webhooks are signed with the new and the old secret for a day, and then with the new one only. 202: it is recorded, and read as the secret in a moment.
         *
         *     Needs the scope `admin`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a signed example of a webhook to a URL, and answer what came back
         * @description The example is signed with the owner's secret, and its `metadata` is `{"test": "true"}`. The rules for URLs are those of webhooks, and redirects are not followed. Nothing is recorded, and nothing is sent again. An owner may send ten a minute.
         *
         *     Needs the scope `generate`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the kinds of streams, with the types of their events
         * @description Needs the scope `admin`.
         */
        get: operations["listEventCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events of the log
         * @description Of all owners, oldest first. `cursor` is the position of an event: later ones follow. A page may have fewer events than `limit`, or none, and a `next_cursor`: what one request reads is bounded.
         *
         *     Needs the scope `admin`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/streams/{stream}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events of a stream
         * @description Oldest first. Empty if there is no such stream.
         *
         *     Needs the scope `admin`.
         */
        get: operations["listStreamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/streams/{stream}/events/{revision}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an event of a stream, with all of its data
         * @description Needs the scope `admin`.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/follow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the events of the log
         * @description Server-sent events: `event` with an event as JSON, whose id is its position, from now on. After a broken connection browsers send the last id as `Last-Event-ID`, and get what came after it; `cursor` is the same.
         *
         *     Needs the scope `admin`.
         */
        get: operations["followEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List messages that could not be handled
         * @description Of all owners, or with `owner` of that one. A page may have fewer items than `limit`, or none, and a `next_cursor`: what one request reads is bounded.
         *
         *     Needs the scope `admin`.
         */
        get: operations["listDeadLetters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dead-letters/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a dead letter with its body
         * @description Needs the scope `admin`.
         */
        get: operations["getDeadLetter"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dead-letters/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send messages that could not be handled again
         * @description A document is rendered as a new generation, whose webhook is sent, too. Its dead letter is removed when that has ended, and kept if it fails. The dead letter of a command that is refused, or that no service answers within ten seconds, is kept, with the reason. At most a hundred at a time, oldest first; `next_after` says where to go on. The same request may be sent again. With `dry_run` only the count and the first ids are answered, and nothing is done.
         *
         *     Needs the scope `admin`.
         */
        post: operations["retryDeadLetters"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dead-letters/drop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove dead letters for good
         * @description At most a hundred at a time, oldest first; `next_after` says where to go on. The same request may be sent again. With `dry_run` only the count and the first ids are answered, and nothing is done.
         *
         *     Needs the scope `admin`.
         */
        post: operations["dropDeadLetters"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status: queues, failures, processes, alerts
         * @description With a key that has the scope `admin` that of the whole deployment, as `platen status` shows it; with `owner`, or another key, the figures of that owner alone. At most a second old. What cannot be known is absent, and `not_checked` has the reason.
         *
         *     Needs the scope `generations:read`.
         */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/status/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the status
         * @description Server-sent events: `status` with the status as JSON, at once and after each change, at most once a second. With a key that has the scope `admin` that of the whole deployment, as `platen status` shows it; with `owner`, or another key, the figures of that owner alone.
         *
         *     Needs the scope `generations:read`.
         */
        get: operations["followStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API keys of the owner
         * @description Needs the scope `admin`.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Issue an API key
         * @description The response has the secret, which cannot be read again. It is not repeated for an `Idempotency-Key`.
         *
         *     Needs the scope `admin`.
         */
        post: operations["issueApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an API key
         * @description Needs the scope `admin`.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description The key is refused from now on, and stays in the list. Revoking it again has no effect. 202: it is recorded, and refused in a moment.
         *
         *     Needs the scope `admin`.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret of an API key
         * @description The key keeps its id, owner and scopes. The response has the new secret, which cannot be read again; if it is lost, rotate again. With `grace_s` the secrets that are accepted now stay so for that time at most. 202: the event store is slow, and may not have recorded it; try the new secret, and if it is refused the old one.
         *
         *     Needs the scope `admin`.
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/owners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all owners
         * @description The default owner is the first of the list.
         *
         *     Needs the scope `admin`.
         */
        get: operations["listOwners"];
        put?: never;
        /**
         * Create an owner
         * @description Issue its API keys with `POST /v1/keys?owner=<id>`. Several owners may have the same name.
         *
         *     Needs the scope `admin`.
         */
        post: operations["createOwner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/owners/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an owner
         * @description Needs the scope `admin`.
         */
        get: operations["getOwner"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename, disable or enable an owner
         * @description The API keys of a disabled owner are answered with 403. Its queued work and its webhooks continue. An owner cannot disable itself. 202: it is recorded, and has its effect in a moment.
         *
         *     Needs the scope `admin`.
         */
        patch: operations["updateOwner"];
        trace?: never;
    };
}
export interface webhooks {
    "generation.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "generation.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "generation.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "batch.ended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description A stored Handlebars template. */
        Template: {
            /** @example tpl_01k9x2v7w3d5e8f0g2h4j6k8m0 */
            id: string;
            name: string;
            /** @example monthly-invoice */
            slug: string;
            html: string;
            sample_data: {
                [key: string]: unknown;
            };
            options?: components["schemas"]["TemplateOptions"];
            /** @description Handlebars source of the header of each page, at most 64 KiB; `options.header_html` of a request overrides it */
            header_html?: string;
            /** @description Handlebars source of the footer of each page, at most 64 KiB; `options.footer_html` of a request overrides it */
            footer_html?: string;
            /** @description JSON Schema (2020-12) that the data of a request and the samples must match, at most 64 KiB */
            data_schema?: {
                [key: string]: unknown;
            };
            samples?: components["schemas"]["Samples"];
            translations?: components["schemas"]["Translations"];
            /**
             * @description JavaScript that exports the helpers of the template, at most 64 KiB; an operator allows it with OWN_HELPERS=on
             * @example export const gross = (net, rate) => net * (1 + rate / 100)
             */
            helpers?: string;
            /** @description documents use the newest versions of partials, instead of those that the template was saved with */
            follow_partials?: boolean;
            /**
             * @description days for which the input is kept, encrypted, so that the document can be rendered again; 0: not. Default: as the deployment has it, usually 0
             * @example 7
             */
            retain_input?: number;
            partials?: components["schemas"]["PartialPins"];
            assets?: components["schemas"]["AssetPins"];
            labels?: components["schemas"]["TemplateLabels"];
            version: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at: string;
        };
        /** @description A picture, font or style sheet that documents use. */
        Asset: {
            /** @example logo.svg */
            name: string;
            /** @description Counts the contents that the name has had. */
            version: number;
            type: components["schemas"]["AssetType"];
            /** @example 1204 */
            bytes: number;
            /** @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
            sha256: string;
            /** @description Of a style sheet or script: the assets that it names. */
            references: string[];
            /** @description In the answer to an upload: what the file refers to and documents will lack. Absent if there is nothing. */
            warnings?: components["schemas"]["Warning"][];
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at: string;
        };
        /** @description A stored fragment that templates call by its name. */
        Partial: {
            /** @example prt_01k9x2v7w3d5e8f0g2h4j6k8m0 */
            id: string;
            /** @example letterhead */
            name: string;
            html: string;
            version: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at: string;
        };
        /** @description The webhook of a generation, with its attempts. */
        Delivery: {
            /**
             * @description also the `webhook-id` of the request
             * @example msg_01k9x2v7w3d5e8f0g2h4j6k8m0
             */
            id: string;
            /**
             * @description in a list of all owners
             * @example own_default
             */
            owner_id?: string;
            /** @example pdf_01k9x2v7w3d5e8f0g2h4j6k8m0 */
            generation_id?: string;
            /**
             * @description instead, if it is the webhook of a batch
             * @example bat_01k9x2v7w3d5e8f0g2h4j6k8m0
             */
            batch_id?: string;
            /** @example generation.completed */
            type: string;
            url: string;
            status: components["schemas"]["DeliveryStatus"];
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            next_attempt_at?: string;
            /** @description why an exhausted delivery has ended */
            reason?: string;
            /** @description oldest first; the newest 100, in lists the newest 20 */
            attempts: components["schemas"]["DeliveryAttempt"][];
            /** @description the body that is sent; not in lists */
            body?: string;
        };
        /** @description A message that could not be handled. */
        DeadLetter: {
            /**
             * @description its number in the stream `DEAD_LETTERS`
             * @example 42
             */
            id: string;
            /**
             * Format: date-time
             * @description when it was given up
             */
            at: string;
            kind: components["schemas"]["DeadLetterKind"];
            /** @description where it was sent to */
            subject: string;
            /** @description absent if the message names none */
            owner_id?: string;
            /** @description that of a document */
            generation_id?: string;
            /**
             * @description the newest generation that the document was rendered again as. When it has ended, the dead letter is removed; when it has failed, it may be sent again
             * @example pdf_01k9x2v7w3d5e8f0g2h4j6k8m0
             */
            retried_as?: string;
            reason: string;
            /** @description how often it was delivered */
            attempts: number;
            /** @description the size of its body */
            bytes: number;
            /** @description the first 64 KiB, without tokens of URLs; not in lists. That of a document has its data */
            body?: string;
            /** @description there is more of the body */
            body_truncated?: boolean;
        };
        /** @description An event of the log. */
        RecordedEvent: {
            /** @description its place in the log: send it as `cursor` to get later ones */
            position: string;
            id: string;
            /** @example generation-pdf_01k9x2v7w3d5e8f0g2h4j6k8m0 */
            stream: string;
            /** @description its place in the stream, from 0 */
            revision: number;
            /** @description the kind of the stream */
            category: string;
            /** @example GenerationCompleted */
            type: string;
            /**
             * Format: date-time
             * @description when what caused it was accepted
             */
            at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            recorded_at: string;
            /** @description for a person */
            what: string;
            /** @description the request that caused it */
            request_id?: string;
            /** @description the command that caused it */
            command_id?: string;
            /** @description without tokens of URLs; in lists, longer texts than 500 characters and what follows the first 20,000 characters are cut, and `…` is in their place. Sources of templates are in it; of a document there is no content */
            data?: {
                [key: string]: unknown;
            };
        };
        /** @description The state of one generated PDF. */
        Generation: {
            /** @example pdf_01k9x2v7w3d5e8f0g2h4j6k8m0 */
            id: string;
            status: components["schemas"]["GenerationStatus"];
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * @description in a list of all owners
             * @example own_default
             */
            owner_id?: string;
            template?: components["schemas"]["TemplateVersion"];
            metadata?: components["schemas"]["Metadata"];
            /** @description as requested */
            file_name?: string;
            batch?: components["schemas"]["BatchPlace"];
            /**
             * @description the generation whose input it has
             * @example pdf_01k9x2v7w3d5e8f0g2h4j6k8m0
             */
            retry_of?: string;
            /**
             * @description of /v1/pdf; absent for a printed document
             * @example merge
             */
            operation?: string;
            /** @description present while queued or rendering */
            poll_url?: string;
            /** @description signed URL of the file, valid for a limited time; needs no API key */
            url?: string;
            pages?: number;
            /** @description bytes */
            size?: number;
            /**
             * @description of the file; absent for application/pdf
             * @example application/zip
             */
            media_type?: string;
            /** @description what was done after the print; absent if nothing was */
            steps?: components["schemas"]["StepResult"][];
            duration_ms?: number;
            engine?: components["schemas"]["Engine"];
            /** @description SHA-256 of the template's own helpers, in hex; absent if it has none */
            helpers_sha256?: string;
            /** @description problems that did not make the generation fail; at most 93 */
            warnings?: components["schemas"]["Warning"][];
            error?: components["schemas"]["Failure"];
            /**
             * Format: date-time
             * @description until then the input is stored, so that the document can be rendered again; absent if it is not
             * @example 2026-01-31T12:00:00.000Z
             */
            input_kept_until?: string;
            /** @description when the PDF and the input were deleted for good */
            erased_at?: string;
        };
        /** @description Many documents that were requested at once. */
        Batch: {
            /** @example bat_01k9x2v7w3d5e8f0g2h4j6k8m0 */
            id: string;
            status: components["schemas"]["BatchStatus"];
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /** @description the number of its items */
            total: number;
            counts: components["schemas"]["BatchCounts"];
            metadata?: components["schemas"]["Metadata"];
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            ended_at?: string;
        };
        /** @description An API key without its secret. */
        ApiKey: {
            /** @example key_5x0w8z7v3d2e8f0g2h4j6k8m0a */
            id: string;
            /** @example own_01k9x2v7w3d5e8f0g2h4j6k8m0 */
            owner_id: string;
            name: string;
            /**
             * @description The first characters of the secret.
             * @example pk_9fKx
             */
            prefix: string;
            scopes: components["schemas"]["Scope"][];
            status: components["schemas"]["ApiKeyStatus"];
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Exact to the hour. Absent if the key was never used.
             */
            last_used_at?: string;
            /**
             * Format: date-time
             * @description Until then the secret before the last rotation is accepted.
             */
            previous_valid_until?: string;
        };
        /** @description An owner of API keys, templates and generations. */
        Owner: {
            /** @example own_01k9x2v7w3d5e8f0g2h4j6k8m0 */
            id: string;
            name: string;
            status: components["schemas"]["OwnerStatus"];
            /**
             * Format: date-time
             * @description Absent for `own_default`.
             */
            created_at?: string;
        };
        /** @description How a deployment stands, or the generations of an owner. */
        Status: {
            /**
             * Format: date-time
             * @description when it was computed
             */
            at: string;
            /** @description whose figures these are; absent for those of the deployment */
            owner_id?: string;
            generations: components["schemas"]["GenerationFigures"];
            /** @description fields that are absent because they could not be checked */
            not_checked: components["schemas"]["NotCheckedPart"][];
            /** @description its identity */
            deployment?: string;
            /** @description what deserves attention, the worst first */
            attention?: components["schemas"]["StatusAttention"][];
            /** @description the alerts that are shipped, evaluated */
            alerts?: components["schemas"]["StatusAlert"][];
            engines?: components["schemas"]["StatusEngine"][];
            /** @description at most 500 */
            processes?: components["schemas"]["StatusProcess"][];
            services?: components["schemas"]["StatusService"][];
            queues?: components["schemas"]["StatusQueue"][];
            /** @description at most 1,000 of a stream */
            consumers?: components["schemas"]["StatusConsumer"][];
            relays?: components["schemas"]["StatusRelay"][];
            views?: components["schemas"]["StatusView"][];
            deliveries?: components["schemas"]["StatusDeliveries"];
            dead_letters?: components["schemas"]["StatusDeadLetters"];
            disks?: components["schemas"]["StatusDisk"][];
            last_backup?: components["schemas"]["StatusBackup"];
        };
        /** @description The body of every error response. */
        ErrorEnvelope: {
            error: components["schemas"]["Failure"];
            /** @example req_01k9x2v7w3d5e8f0g2h4j6k8m0 */
            request_id: string;
        };
        /**
         * @description default: A4. One of `A4`, `A3`, `A5`, `Letter`, `Legal`, `Tabloid`; later versions may add others.
         * @enum {string}
         */
        PaperFormat: "A4" | "A3" | "A5" | "Letter" | "Legal" | "Tabloid";
        /**
         * @description default: print: the CSS media type that applies
         * @enum {string}
         */
        MediaOption: "print" | "screen";
        /**
         * @description values of CSS media features
         * @example {
         *       "prefers-color-scheme": "dark"
         *     }
         */
        MediaFeatures: {
            [key: string]: string;
        };
        /** @description default: top 20, bottom 20, left 15, right 15 */
        Margin: {
            /** @description millimetres */
            top?: number;
            /** @description millimetres */
            bottom?: number;
            /** @description millimetres */
            left?: number;
            /** @description millimetres */
            right?: number;
        };
        /**
         * @description default: auto, which runs scripts when the document contains any
         * @enum {string}
         */
        JavascriptOption: "auto" | "on" | "off";
        /** @description exactly one of selector, expression and ms; needs scripts */
        WaitFor: {
            /**
             * @description CSS selector; waits until an element matches
             * @example .done
             */
            selector?: string;
            /**
             * @description JavaScript expression; waits until it is truthy in the document. A promise is awaited
             * @example window.chartReady === true
             */
            expression?: string;
            /** @description waits this many milliseconds after the document has loaded */
            ms?: number;
        };
        /** @description replaces the document's <title> and <meta name=author, description and keywords> in the PDF */
        DocumentInfo: {
            title?: string;
            author?: string;
            subject?: string;
            keywords?: string;
        };
        /**
         * @description One of `RESOURCE_FAILED`, `CONSOLE_ERROR`, `MISSING_GLYPHS`, `MARGIN_OVERFLOW`, `PAGE_NUMBERS`, `MISSING_VALUE`, `OBJECT_PRINTED`, `MISSING_TRANSLATION`, `PDF_STEP`; later versions may add others.
         * @enum {string}
         */
        WarningCode: "RESOURCE_FAILED" | "CONSOLE_ERROR" | "MISSING_GLYPHS" | "MARGIN_OVERFLOW" | "PAGE_NUMBERS" | "MISSING_VALUE" | "OBJECT_PRINTED" | "MISSING_TRANSLATION" | "PDF_STEP";
        /** @description a PDF asset under the pages: its first page under the first one, and its last page under all others */
        BackgroundStep: {
            /**
             * @description a PDF asset
             * @example letterhead.pdf
             */
            asset: string;
            /**
             * @description `all`, `first`, `last`, or ascending page numbers and ranges
             * @example 1-3, 5, 8-
             */
            pages?: string;
        };
        /** @description a PDF asset whose pages are added at the end */
        AppendedPdf: {
            /**
             * @description a PDF asset
             * @example letterhead.pdf
             */
            asset: string;
        };
        /**
         * @description default: over the content of the page
         * @enum {string}
         */
        StampLayer: "over" | "under";
        /**
         * @description default: center
         * @enum {string}
         */
        StampPosition: "center" | "top-left" | "top-center" | "top-right" | "middle-left" | "middle-right" | "bottom-left" | "bottom-center" | "bottom-right";
        /** @description a text, a picture or a PDF page over or under the pages; exactly one of text and asset */
        Stamp: {
            /**
             * @description {{page}} and {{pages}} are the number of the page and of all pages
             * @example DRAFT
             */
            text?: string;
            /**
             * @description a PNG or JPEG picture, or a PDF, whose first page is the stamp
             * @example letterhead.pdf
             */
            asset?: string;
            layer?: components["schemas"]["StampLayer"];
            /**
             * @description `all`, `first`, `last`, or ascending page numbers and ranges
             * @example 1-3, 5, 8-
             */
            pages?: string;
            position?: components["schemas"]["StampPosition"];
            /** @description millimetres to the right of the position */
            x?: number;
            /** @description millimetres down from the position */
            y?: number;
            /** @description millimetres; default: that of the asset or of the text */
            width?: number;
            /**
             * @description degrees, counter-clockwise
             * @default 0
             */
            rotation?: number;
            /** @default 1 */
            opacity?: number;
            /**
             * @description points
             * @default 48
             */
            font_size?: number;
            /**
             * @description default: #000000
             * @example #cc0000
             */
            color?: string;
        };
        /**
         * @description entries of the document information with names of your own: letters, digits and _, at most 50 each
         * @example {
         *       "Order": "4711"
         *     }
         */
        CustomMetadata: {
            [key: string]: string;
        };
        /** @description replaces the fields that are given */
        PdfMetadata: {
            title?: string;
            author?: string;
            subject?: string;
            keywords?: string[];
            creator?: string;
            custom?: components["schemas"]["CustomMetadata"];
            /**
             * @description RFC 3339
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at?: string;
        };
        /**
         * @description default: unspecified. One of `source`, `data`, `alternative`, `supplement`, `unspecified`; later versions may add others.
         * @enum {string}
         */
        AttachmentRelationship: "source" | "data" | "alternative" | "supplement" | "unspecified";
        /** @description a file in the PDF; exactly one of asset and content_base64 */
        Attachment: {
            /**
             * @description the file name, without folders
             * @example terms.pdf
             */
            name: string;
            /** @example text/xml */
            media_type: string;
            description?: string;
            relationship?: components["schemas"]["AttachmentRelationship"];
            /**
             * @description an asset of any type
             * @example letterhead.pdf
             */
            asset?: string;
            /** @description the bytes in Base64 (RFC 4648, section 4) */
            content_base64?: string;
        };
        /**
         * @description PDF/A-1b, -2b or -3b (ISO 19005). 1b has no transparency; files may be attached to 3b only. One of `1b`, `2b`, `3b`; later versions may add others.
         * @enum {string}
         */
        PdfAConformance: "1b" | "2b" | "3b";
        /**
         * @description PDF/UA-1 (ISO 14289-1). One of `1`; later versions may add others.
         * @enum {string}
         */
        PdfUaConformance: "1";
        /** @description the standard that the PDF says to follow; what it violates is refused or warned of */
        ConformanceStep: {
            pdf_a?: components["schemas"]["PdfAConformance"];
            pdf_ua?: components["schemas"]["PdfUaConformance"];
        };
        /**
         * @description Factur-X 1.0, which is ZUGFeRD 2. One of `factur-x`; later versions may add others.
         * @enum {string}
         */
        EInvoiceStandard: "factur-x";
        /**
         * @description One of `minimum`, `basic-wl`, `basic`, `en16931`, `extended`, `xrechnung`; later versions may add others.
         * @enum {string}
         */
        EInvoiceProfile: "minimum" | "basic-wl" | "basic" | "en16931" | "extended" | "xrechnung";
        /** @description a PDF/A-3b with the invoice as XML in it */
        EInvoiceStep: {
            standard: components["schemas"]["EInvoiceStandard"];
            profile: components["schemas"]["EInvoiceProfile"];
            /** @description the invoice in UN/CEFACT CII; a Handlebars template, as the document is */
            xml: string;
        };
        /**
         * @description One of `png`, `jpeg`, `webp`; later versions may add others.
         * @enum {string}
         */
        ImageFormat: "png" | "jpeg" | "webp";
        /** @description pictures of the pages instead of the PDF: of one page that picture, of several pages a ZIP file */
        ImagesStep: {
            format: components["schemas"]["ImageFormat"];
            /**
             * @description `all`, `first`, `last`, or ascending page numbers and ranges
             * @example 1-3, 5, 8-
             */
            pages?: string;
            /** @description of each picture, in pixels */
            width?: number;
            /**
             * @description pixels per inch
             * @default 96
             */
            dpi?: number;
        };
        /** @description what who opens the PDF without the owner password may do; default: everything */
        PdfPermissions: {
            /** @default true */
            print?: boolean;
            /** @default true */
            extract?: boolean;
            /** @default true */
            modify?: boolean;
            /** @default true */
            annotate?: boolean;
            /** @default true */
            fill_forms?: boolean;
            /** @default true */
            assemble?: boolean;
        };
        /** @description encrypts with AES-256. Passwords are not stored with a template */
        ProtectStep: {
            /** @description needed to open the PDF, at most 127 bytes in UTF-8; default: none */
            user_password?: string;
            /** @description gives all permissions, at most 127 bytes in UTF-8; default: a random one */
            owner_password?: string;
            permissions?: components["schemas"]["PdfPermissions"];
        };
        /** @description default: the signature is not shown */
        VisibleSignature: {
            /** @default 1 */
            page?: number;
            /** @description millimetres from the left */
            x: number;
            /** @description millimetres from the top */
            y: number;
            /** @description millimetres */
            width: number;
            /** @description millimetres */
            height: number;
            text?: string;
        };
        /** @description a PAdES signature, always the last step */
        SignStep: {
            /** @description the name of a signing key of the deployment */
            key: string;
            reason?: string;
            location?: string;
            visible?: components["schemas"]["VisibleSignature"];
        };
        /** @description what is done to the PDF after the print, in the order of the fields */
        OutputOptions: {
            background?: components["schemas"]["BackgroundStep"];
            append?: components["schemas"]["AppendedPdf"][];
            stamps?: components["schemas"]["Stamp"][];
            metadata?: components["schemas"]["PdfMetadata"];
            /** @description files in the PDF, each with another name */
            attachments?: components["schemas"]["Attachment"][];
            conformance?: components["schemas"]["ConformanceStep"];
            e_invoice?: components["schemas"]["EInvoiceStep"];
            images?: components["schemas"]["ImagesStep"];
            protect?: components["schemas"]["ProtectStep"];
            sign?: components["schemas"]["SignStep"];
        };
        /** @description defaults for `options` of a request, which override them field by field */
        TemplateOptions: {
            format?: components["schemas"]["PaperFormat"];
            /**
             * @description swaps the sides of the format
             * @default false
             */
            landscape?: boolean;
            /**
             * @description of the sheet, with a unit; default: that of the format
             * @example 210mm
             * @example 8.5in
             * @example 600px
             */
            width?: string;
            /**
             * @description of the sheet, with a unit; default: that of the format
             * @example 210mm
             * @example 8.5in
             * @example 600px
             */
            height?: string;
            /**
             * @description the document's `@page { size }` chooses the paper
             * @default true
             */
            prefer_css_page_size?: boolean;
            /**
             * @description one page, as tall as the document
             * @default false
             */
            single_page?: boolean;
            media?: components["schemas"]["MediaOption"];
            media_features?: components["schemas"]["MediaFeatures"];
            margin?: components["schemas"]["Margin"];
            /**
             * @description prints background colours and pictures
             * @default true
             */
            print_background?: boolean;
            /**
             * @description the size of the content on the sheet
             * @default 1
             */
            scale?: number;
            /**
             * @description default: all pages. Ascending
             * @example 1-3, 5, 8-
             */
            page_ranges?: string;
            javascript?: components["schemas"]["JavascriptOption"];
            wait_for?: components["schemas"]["WaitFor"];
            /**
             * @description runs animations and timers of up to 5 s to their end, in virtual time, before the print
             * @default true
             */
            finish_animations?: boolean;
            /** @description how long the document may take to load and print; at most the limit of the deployment, which is the default */
            timeout_ms?: number;
            /**
             * @description http or https: the relative URLs of the document are resolved with it
             * @example https://example.com/invoices/
             */
            base_url?: string;
            /**
             * @description bookmarks from the headings h1 to h6; this also tags the PDF
             * @default false
             */
            outline?: boolean;
            /**
             * @description include the document structure, for assistive technology
             * @default false
             */
            tagged?: boolean;
            /**
             * @description inputs, text areas and selects of the document become form fields of the PDF, which can be filled in
             * @default false
             */
            form_fields?: boolean;
            document_info?: components["schemas"]["DocumentInfo"];
            /**
             * @description default: en-US. A language tag, or {{path}}: the data have it there. The default of every helper, of the digits of contents lists, and of scripts
             * @example de-DE
             */
            locale?: string;
            /**
             * @description default: UTC. A name of the IANA database, or {{path}}: the data have it there. For helpers and scripts
             * @example Europe/Berlin
             */
            timezone?: string;
            /** @description default: none. A warning with one of these codes makes the generation fail with RENDER_FAILED */
            fail_on?: components["schemas"]["WarningCode"][];
            /**
             * @description a value that the template prints and the data does not have is a TEMPLATE_RENDER_ERROR
             * @default false
             */
            strict?: boolean;
            output?: components["schemas"]["OutputOptions"];
        };
        SampleData: {
            [key: string]: unknown;
        };
        /**
         * @description named sets of sample data, at most 50 and 256 KiB
         * @example {
         *       "two pages": {
         *         "number": "R-1002"
         *       }
         *     }
         */
        Samples: {
            [key: string]: components["schemas"]["SampleData"];
        };
        Dictionary: {
            [key: string]: string;
        };
        /**
         * @description the texts that {{t "key"}} prints, by language tag and key, at most 50 languages and 128 KiB
         * @example {
         *       "en": {
         *         "total": "Total"
         *       },
         *       "de": {
         *         "total": "Summe"
         *       }
         *     }
         */
        Translations: {
            [key: string]: components["schemas"]["Dictionary"];
        };
        PartialPin: {
            id: string;
            version: number;
        };
        /** @description the versions of partials that this version was saved with, by name */
        PartialPins: {
            [key: string]: components["schemas"]["PartialPin"];
        };
        /** @description the SHA-256 of the assets that this version was saved with, by name */
        AssetPins: {
            [key: string]: string;
        };
        /**
         * @description the versions that have a label, by label
         * @example {
         *       "published": 3,
         *       "draft": 4
         *     }
         */
        TemplateLabels: {
            [key: string]: number;
        };
        /**
         * @description The media type, from its bytes. One of `image/png`, `image/jpeg`, `image/gif`, `image/webp`, `image/avif`, `image/svg+xml`, `font/woff2`, `font/woff`, `font/ttf`, `font/otf`, `font/collection`, `text/css`, `text/javascript`, `application/pdf`; later versions may add others.
         * @enum {string}
         */
        AssetType: "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "image/avif" | "image/svg+xml" | "font/woff2" | "font/woff" | "font/ttf" | "font/otf" | "font/collection" | "text/css" | "text/javascript" | "application/pdf";
        Warning: {
            code: components["schemas"]["WarningCode"];
            /** @example https://example.com/logo.png: not found (404) */
            message: string;
            /**
             * @description RESOURCE_FAILED: what refers to the resource
             * @example <img>
             * @example @font-face
             */
            element?: string;
            /**
             * @description MISSING_VALUE and OBJECT_PRINTED: the place in the data; MISSING_TRANSLATION: the key
             * @example items[2].price
             */
            path?: string;
            /**
             * @description of a warning with a `path`: the source that prints it, in which `line` and `column` are
             * @example html
             * @example partial "letterhead"
             */
            source?: string;
            /** @description counts from 1 */
            line?: number;
            /** @description counts from 1 */
            column?: number;
            /** @description in a preview, if it is known: the first page of the PDF that it is about */
            page?: number;
        };
        /** @enum {string} */
        DeliveryStatus: "pending" | "succeeded" | "exhausted";
        DeliveryAttempt: {
            attempt: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            at: string;
            /** @description HTTP status of the answer */
            status?: number;
            /** @description why there was no answer */
            error?: string;
            duration_ms: number;
            /** @description the first KiB of the body of the answer */
            response?: string;
        };
        /**
         * @description `render`: a document; `template`, `delivery` and `cancel`: another command; `event`: a recorded event. One of `render`, `template`, `delivery`, `cancel`, `event`, `other`; later versions may add others.
         * @enum {string}
         */
        DeadLetterKind: "render" | "template" | "delivery" | "cancel" | "event" | "other";
        /** @enum {string} */
        GenerationStatus: "queued" | "rendering" | "completed" | "failed" | "cancelled";
        TemplateVersion: {
            id: string;
            version: number;
        };
        /**
         * @description your own references, such as the number of an order: at most 16 entries, keys of 1 to 64 and values of up to 512 characters. Returned with the generation, its webhook and its events, and a filter of lists
         * @example {
         *       "order": "2026-0042"
         *     }
         */
        Metadata: {
            [key: string]: string;
        };
        BatchPlace: {
            /** @example bat_01k9x2v7w3d5e8f0g2h4j6k8m0 */
            id: string;
            index: number;
        };
        StepResult: {
            /**
             * @description an operation of /v1/pdf, a field of options.output, or form_fields
             * @example stamps
             */
            step: string;
            /** @description the size of the result */
            bytes: number;
            /** @description SHA-256 of the result, in hex */
            sha256: string;
            /** @description how long the step took */
            ms: number;
        };
        /**
         * @description One of `static`, `scripted`, `tools`; later versions may add others.
         * @enum {string}
         */
        RenderMode: "static" | "scripted" | "tools";
        Engine: {
            /** @example chromium */
            name: string;
            version: string;
            mode: components["schemas"]["RenderMode"];
        };
        /**
         * @description One of `VALIDATION_ERROR`, `INVALID_JSON`, `INVALID_REQUEST`, `UNAUTHORIZED`, `FORBIDDEN`, `INVALID_SIGNATURE`, `NOT_FOUND`, `TEMPLATE_NOT_FOUND`, `PARTIAL_NOT_FOUND`, `ASSET_NOT_FOUND`, `LABEL_NOT_FOUND`, `GENERATION_NOT_FOUND`, `BATCH_NOT_FOUND`, `DELIVERY_NOT_FOUND`, `DEAD_LETTER_NOT_FOUND`, `EVENT_NOT_FOUND`, `API_KEY_NOT_FOUND`, `OWNER_NOT_FOUND`, `METHOD_NOT_ALLOWED`, `REQUEST_TIMEOUT`, `CONFLICT`, `ASSET_LIMIT_EXCEEDED`, `INPUT_LIMIT_EXCEEDED`, `PARTIAL_LIMIT_EXCEEDED`, `FILE_URL_EXPIRED`, `FILE_DELETED`, `INPUT_DELETED`, `GENERATION_ERASED`, `PRECONDITION_FAILED`, `PAYLOAD_TOO_LARGE`, `URI_TOO_LONG`, `UNSUPPORTED_MEDIA_TYPE`, `RANGE_NOT_SATISFIABLE`, `TEMPLATE_SYNTAX_ERROR`, `TEMPLATE_RENDER_ERROR`, `TEMPLATE_TOO_COMPLEX`, `RENDER_FAILED`, `RENDER_LIMIT_EXCEEDED`, `PDF_TOOL_ERROR`, `PDF_TOO_COMPLEX`, `WEBHOOK_URL_FORBIDDEN`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `CONCURRENCY_LIMIT_EXCEEDED`, `HEADERS_TOO_LARGE`, `INTERNAL_ERROR`, `SERVICE_UNAVAILABLE`, `QUEUE_FULL`, `STORAGE_UNAVAILABLE`, `RENDER_TIMEOUT`, `WAIT_TIMEOUT`; later versions may add others.
         * @enum {string}
         */
        ErrorCode: "VALIDATION_ERROR" | "INVALID_JSON" | "INVALID_REQUEST" | "UNAUTHORIZED" | "FORBIDDEN" | "INVALID_SIGNATURE" | "NOT_FOUND" | "TEMPLATE_NOT_FOUND" | "PARTIAL_NOT_FOUND" | "ASSET_NOT_FOUND" | "LABEL_NOT_FOUND" | "GENERATION_NOT_FOUND" | "BATCH_NOT_FOUND" | "DELIVERY_NOT_FOUND" | "DEAD_LETTER_NOT_FOUND" | "EVENT_NOT_FOUND" | "API_KEY_NOT_FOUND" | "OWNER_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "CONFLICT" | "ASSET_LIMIT_EXCEEDED" | "INPUT_LIMIT_EXCEEDED" | "PARTIAL_LIMIT_EXCEEDED" | "FILE_URL_EXPIRED" | "FILE_DELETED" | "INPUT_DELETED" | "GENERATION_ERASED" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "URI_TOO_LONG" | "UNSUPPORTED_MEDIA_TYPE" | "RANGE_NOT_SATISFIABLE" | "TEMPLATE_SYNTAX_ERROR" | "TEMPLATE_RENDER_ERROR" | "TEMPLATE_TOO_COMPLEX" | "RENDER_FAILED" | "RENDER_LIMIT_EXCEEDED" | "PDF_TOOL_ERROR" | "PDF_TOO_COMPLEX" | "WEBHOOK_URL_FORBIDDEN" | "IDEMPOTENCY_KEY_REUSED" | "RATE_LIMITED" | "CONCURRENCY_LIMIT_EXCEEDED" | "HEADERS_TOO_LARGE" | "INTERNAL_ERROR" | "SERVICE_UNAVAILABLE" | "QUEUE_FULL" | "STORAGE_UNAVAILABLE" | "RENDER_TIMEOUT" | "WAIT_TIMEOUT";
        Failure: {
            code: components["schemas"]["ErrorCode"];
            message: string;
            /** @description depends on the code: for VALIDATION_ERROR a list of `{path, message}` */
            details?: unknown;
        };
        /** @enum {string} */
        BatchStatus: "running" | "cancelling" | "completed" | "cancelled";
        BatchCounts: {
            queued: number;
            rendering: number;
            completed: number;
            failed: number;
            cancelled: number;
        };
        /**
         * @description One of `templates:read`, `templates:write`, `generate`, `generations:read`, `admin`; later versions may add others.
         * @enum {string}
         */
        Scope: "templates:read" | "templates:write" | "generate" | "generations:read" | "admin";
        /** @enum {string} */
        ApiKeyStatus: "active" | "revoked";
        /**
         * @description The API keys of a disabled owner are answered with 403.
         * @enum {string}
         */
        OwnerStatus: "active" | "disabled";
        QueuedCounts: {
            /** @description a client waits for them */
            interactive: number;
            /** @description asynchronous ones, and items of batches */
            batch: number;
        };
        FailureCount: {
            /** @description an error code */
            code: string;
            /** @description how many */
            count: number;
        };
        EndedCounts: {
            /** @description with a PDF */
            completed: number;
            /** @description with an error */
            failed: number;
            /** @description by a request */
            cancelled: number;
            /** @description those that have failed, by code, the most frequent first */
            failures: components["schemas"]["FailureCount"][];
        };
        /** @description `last_hour`: in the last 60 minutes, of which the current one is the last. */
        GenerationFigures: {
            /** @description accepted and not ended: those that are queued, and those that are being rendered */
            accepted?: number;
            queued?: components["schemas"]["QueuedCounts"];
            /** @description taken by a renderer */
            rendering?: number;
            last_hour: components["schemas"]["EndedCounts"];
        };
        NotCheckedPart: {
            /** @description the name of the field */
            part: string;
            reason: string;
        };
        /**
         * @description One of `wrong`, `note`; later versions may add others.
         * @enum {string}
         */
        AttentionLevel: "wrong" | "note";
        StatusAttention: {
            level: components["schemas"]["AttentionLevel"];
            /** @description what it is about, such as `renderer` or `dead letters` */
            what: string;
            found: string;
            /** @description what to do; names of commands are those of `platen` */
            remedy: string;
        };
        /**
         * @description One of `critical`, `warning`; later versions may add others.
         * @enum {string}
         */
        AlertSeverity: "critical" | "warning";
        /**
         * @description `active`: the condition holds now. Prometheus fires when it has held for `for_s` seconds. One of `active`, `inactive`, `not_evaluated`; later versions may add others.
         * @enum {string}
         */
        AlertState: "active" | "inactive" | "not_evaluated";
        StatusAlert: {
            /** @description its name in `deploy/monitoring/alerts.yaml`, and that of its runbook */
            alert: string;
            severity: components["schemas"]["AlertSeverity"];
            state: components["schemas"]["AlertState"];
            /** @description how long the condition must hold, in seconds */
            for_s: number;
            /** @description what meets the condition; at most 20 */
            found: string[];
            /** @description why it was not evaluated */
            reason?: string;
        };
        /**
         * @description One of `NATS`, `event store`, `object store`; later versions may add others.
         * @enum {string}
         */
        EngineName: "NATS" | "event store" | "object store";
        StatusEngine: {
            engine: components["schemas"]["EngineName"];
            ok: boolean;
            /** @description why it cannot be used */
            reason?: string;
        };
        StatusReason: {
            check: string;
            reason: string;
        };
        StatusBrowser: {
            /** @description `static` or `scripted` */
            mode: string;
            /** @description it runs, or is started by the next document that needs it */
            up: boolean;
            /** @description printed since it was started */
            documents: number;
            /** @description of all its processes */
            memory_bytes?: number;
            /** @description mean time to render a document in the last five minutes, in ms; absent if there was none */
            mean_ms?: number;
        };
        StatusProcess: {
            /** @description this start of the process */
            instance: string;
            /** @description a service, or `single-node` */
            program: string;
            /** @description `starting`, `running` or `stopping` */
            state: string;
            /** @description those that run in it */
            services: string[];
            ready: boolean;
            /** @description it has given no sign for 16 s: it was killed, hangs, or does not reach NATS */
            silent: boolean;
            /** @description why it is not ready */
            reasons: components["schemas"]["StatusReason"][];
            version: string;
            host: string;
            pid: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            started_at: string;
            /**
             * Format: date-time
             * @description when it has last given a sign, which it does every 5 s
             */
            seen_at: string;
            /** @description those of a renderer */
            browsers?: components["schemas"]["StatusBrowser"][];
        };
        StatusService: {
            service: string;
            /** @description in which it runs */
            processes: number;
        };
        StatusQueue: {
            /** @description `interactive`, `batch`, or `backlog`: those of an API key that has many; with `tools-` before it: operations on PDFs */
            priority: string;
            /** @description not taken by a renderer */
            waiting: number;
            /** @description taken */
            in_progress: number;
            /**
             * Format: date-time
             * @description when the oldest of both was requested
             */
            oldest_at?: string;
        };
        StatusConsumer: {
            stream: string;
            /** @description its durable name */
            consumer: string;
            /** @description Platen's own, not a subscriber's */
            own: boolean;
            /** @description messages that were not delivered */
            pending: number;
            /** @description delivered, and not acknowledged */
            unacknowledged: number;
            /** @description delivered more than once, of those */
            redelivered: number;
            /**
             * Format: date-time
             * @description when it has last acknowledged a message, since NATS was started
             */
            last_active_at?: string;
            /** @description somebody asks for messages */
            read: boolean;
        };
        /**
         * @description One of `caught_up`, `behind`, `other_event_store`, `unused`; later versions may add others.
         * @enum {string}
         */
        RelayState: "caught_up" | "behind" | "other_event_store" | "unused";
        StatusRelayPartition: {
            /** @description its number, from 0 */
            partition: number;
            /** @description events that are not published; counted up to 1,000 */
            behind: number;
            /**
             * Format: date-time
             * @description when the oldest of them was recorded
             */
            oldest_at?: string;
            /** @description the process that publishes */
            held_by?: string;
        };
        StatusRelay: {
            /** @description the service whose events it publishes */
            relay: string;
            state: components["schemas"]["RelayState"];
            /** @description events that are not published; counted up to 1,000 */
            behind: number;
            /**
             * Format: date-time
             * @description when the oldest of them was recorded
             */
            oldest_at?: string;
            /** @description the process that publishes */
            held_by?: string;
            /**
             * Format: date-time
             * @description when it has last published
             */
            last_at?: string;
            /** @description why it cannot go on */
            reason?: string;
            /** @description of a relay with several; at most 16 */
            partitions?: components["schemas"]["StatusRelayPartition"][];
        };
        StatusView: {
            process: string;
            /** @description `requests` of a gateway, `deliveries` of a notifier */
            view: string;
            /** @description how far it is behind the log, in seconds */
            lag_s: number;
        };
        StatusDeliveries: {
            /** @description webhooks that have not ended */
            pending: number;
            /** @description for how long the oldest attempt has been due */
            overdue_s: number;
            /** @description receivers whose last attempts have all failed */
            receivers_failing: number;
            /** @description receivers that get nothing any more */
            receivers_disabled: number;
        };
        ReasonCount: {
            reason: string;
            /** @description how many */
            count: number;
        };
        StatusDeadLetters: {
            /** @description how many there are */
            count: number;
            /** @description those of the newest hundred */
            reasons: components["schemas"]["ReasonCount"][];
        };
        StatusDisk: {
            host: string;
            path: string;
            free_bytes: number;
            total_bytes: number;
        };
        /** @description empty if none is known */
        StatusBackup: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            at?: string;
            where?: string;
        };
        /** @description Alive. */
        Liveness: {
            /** @example ok */
            status: string;
        };
        /** @enum {string} */
        ReadinessStatus: "ok" | "unavailable" | "stopping";
        /** @description Ready. */
        Readiness: {
            status: components["schemas"]["ReadinessStatus"];
            /**
             * @example {
             *       "nats": "ok",
             *       "event_store": "ok"
             *     }
             */
            checks: {
                [key: string]: string;
            };
            reasons?: {
                [key: string]: string;
            };
            details?: {
                [key: string]: unknown;
            };
        };
        SessionApiKey: {
            /** @example key_5x0w8z7v3d2e8f0g2h4j6k8m0a */
            id: string;
            /** @example shop */
            name: string;
            scopes: components["schemas"]["Scope"][];
        };
        SessionOwner: {
            /** @example own_01k9x2v7w3d5e8f0g2h4j6k8m0 */
            id: string;
            /** @example Default */
            name: string;
        };
        /** @description Who sends the request, and what the API key may do. */
        Session: {
            api_key: components["schemas"]["SessionApiKey"];
            owner: components["schemas"]["SessionOwner"];
            /**
             * Format: date-time
             * @description When the session ends. Absent for a request with an API key.
             */
            expires_at?: string;
        };
        CreateTemplateRequest: {
            name: string;
            /** @description Handlebars source, at most 512 KiB */
            html: string;
            sample_data?: {
                [key: string]: unknown;
            };
            options?: components["schemas"]["TemplateOptions"];
            /** @description Handlebars source of the header of each page, at most 64 KiB; `options.header_html` of a request overrides it */
            header_html?: string;
            /** @description Handlebars source of the footer of each page, at most 64 KiB; `options.footer_html` of a request overrides it */
            footer_html?: string;
            /** @description JSON Schema (2020-12) that the data of a request and the samples must match, at most 64 KiB */
            data_schema?: {
                [key: string]: unknown;
            };
            samples?: components["schemas"]["Samples"];
            translations?: components["schemas"]["Translations"];
            /**
             * @description JavaScript that exports the helpers of the template, at most 64 KiB; an operator allows it with OWN_HELPERS=on
             * @example export const gross = (net, rate) => net * (1 + rate / 100)
             */
            helpers?: string;
            /** @description documents use the newest versions of partials, instead of those that the template was saved with */
            follow_partials?: boolean;
            /**
             * @description days for which the input is kept, encrypted, so that the document can be rendered again; 0: not. Default: as the deployment has it, usually 0
             * @example 7
             */
            retain_input?: number;
            /**
             * @description lower-case letters and digits, in words that are joined by hyphens; 409 if another template has it. Default: derived from the name
             * @example monthly-invoice
             */
            slug?: string;
        };
        /** @enum {string} */
        TemplateSort: "created" | "updated" | "name";
        ListedTemplate: {
            /** @example tpl_01k9x2v7w3d5e8f0g2h4j6k8m0 */
            id: string;
            name: string;
            /** @example monthly-invoice */
            slug: string;
            html?: string;
            sample_data?: {
                [key: string]: unknown;
            };
            options?: components["schemas"]["TemplateOptions"];
            /** @description Handlebars source of the header of each page, at most 64 KiB; `options.header_html` of a request overrides it */
            header_html?: string;
            /** @description Handlebars source of the footer of each page, at most 64 KiB; `options.footer_html` of a request overrides it */
            footer_html?: string;
            /** @description JSON Schema (2020-12) that the data of a request and the samples must match, at most 64 KiB */
            data_schema?: {
                [key: string]: unknown;
            };
            samples?: components["schemas"]["Samples"];
            translations?: components["schemas"]["Translations"];
            /**
             * @description JavaScript that exports the helpers of the template, at most 64 KiB; an operator allows it with OWN_HELPERS=on
             * @example export const gross = (net, rate) => net * (1 + rate / 100)
             */
            helpers?: string;
            /** @description documents use the newest versions of partials, instead of those that the template was saved with */
            follow_partials?: boolean;
            /**
             * @description days for which the input is kept, encrypted, so that the document can be rendered again; 0: not. Default: as the deployment has it, usually 0
             * @example 7
             */
            retain_input?: number;
            partials?: components["schemas"]["PartialPins"];
            assets?: components["schemas"]["AssetPins"];
            labels?: components["schemas"]["TemplateLabels"];
            version: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description present in a list of deleted templates, which have no content; `version` is that of the deletion
             * @example 2026-01-31T12:00:00.000Z
             */
            deleted_at?: string;
        };
        /** @description A page of templates. */
        TemplatePage: {
            data: components["schemas"]["ListedTemplate"][];
            /** @description Present if there are more items: send it as `cursor` to get the next page. */
            next_cursor?: string;
        };
        PutTemplateRequest: {
            name: string;
            /** @description Handlebars source, at most 512 KiB */
            html: string;
            sample_data?: {
                [key: string]: unknown;
            };
            options?: components["schemas"]["TemplateOptions"];
            /** @description Handlebars source of the header of each page, at most 64 KiB; `options.header_html` of a request overrides it */
            header_html?: string;
            /** @description Handlebars source of the footer of each page, at most 64 KiB; `options.footer_html` of a request overrides it */
            footer_html?: string;
            /** @description JSON Schema (2020-12) that the data of a request and the samples must match, at most 64 KiB */
            data_schema?: {
                [key: string]: unknown;
            };
            samples?: components["schemas"]["Samples"];
            translations?: components["schemas"]["Translations"];
            /**
             * @description JavaScript that exports the helpers of the template, at most 64 KiB; an operator allows it with OWN_HELPERS=on
             * @example export const gross = (net, rate) => net * (1 + rate / 100)
             */
            helpers?: string;
            /** @description documents use the newest versions of partials, instead of those that the template was saved with */
            follow_partials?: boolean;
            /**
             * @description days for which the input is kept, encrypted, so that the document can be rendered again; 0: not. Default: as the deployment has it, usually 0
             * @example 7
             */
            retain_input?: number;
        };
        /** @description defaults for `options` of a request, which override them field by field */
        ChangedTemplateOptions: {
            format?: components["schemas"]["PaperFormat"];
            /**
             * @description swaps the sides of the format
             * @default false
             */
            landscape?: boolean;
            /**
             * @description of the sheet, with a unit; default: that of the format
             * @example 210mm
             * @example 8.5in
             * @example 600px
             */
            width?: string;
            /**
             * @description of the sheet, with a unit; default: that of the format
             * @example 210mm
             * @example 8.5in
             * @example 600px
             */
            height?: string;
            /**
             * @description the document's `@page { size }` chooses the paper
             * @default true
             */
            prefer_css_page_size?: boolean;
            /**
             * @description one page, as tall as the document
             * @default false
             */
            single_page?: boolean;
            media?: components["schemas"]["MediaOption"];
            media_features?: components["schemas"]["MediaFeatures"];
            margin?: components["schemas"]["Margin"];
            /**
             * @description prints background colours and pictures
             * @default true
             */
            print_background?: boolean;
            /**
             * @description the size of the content on the sheet
             * @default 1
             */
            scale?: number;
            /**
             * @description default: all pages. Ascending
             * @example 1-3, 5, 8-
             */
            page_ranges?: string;
            javascript?: components["schemas"]["JavascriptOption"];
            wait_for?: components["schemas"]["WaitFor"];
            /**
             * @description runs animations and timers of up to 5 s to their end, in virtual time, before the print
             * @default true
             */
            finish_animations?: boolean;
            /** @description how long the document may take to load and print; at most the limit of the deployment, which is the default */
            timeout_ms?: number;
            /**
             * @description http or https: the relative URLs of the document are resolved with it
             * @example https://example.com/invoices/
             */
            base_url?: string;
            /**
             * @description bookmarks from the headings h1 to h6; this also tags the PDF
             * @default false
             */
            outline?: boolean;
            /**
             * @description include the document structure, for assistive technology
             * @default false
             */
            tagged?: boolean;
            /**
             * @description inputs, text areas and selects of the document become form fields of the PDF, which can be filled in
             * @default false
             */
            form_fields?: boolean;
            document_info?: components["schemas"]["DocumentInfo"];
            /**
             * @description default: en-US. A language tag, or {{path}}: the data have it there. The default of every helper, of the digits of contents lists, and of scripts
             * @example de-DE
             */
            locale?: string;
            /**
             * @description default: UTC. A name of the IANA database, or {{path}}: the data have it there. For helpers and scripts
             * @example Europe/Berlin
             */
            timezone?: string;
            /** @description default: none. A warning with one of these codes makes the generation fail with RENDER_FAILED */
            fail_on?: components["schemas"]["WarningCode"][];
            /**
             * @description a value that the template prints and the data does not have is a TEMPLATE_RENDER_ERROR
             * @default false
             */
            strict?: boolean;
            output?: components["schemas"]["OutputOptions"];
        } | null;
        /**
         * @description named sets of sample data, at most 50 and 256 KiB
         * @example {
         *       "two pages": {
         *         "number": "R-1002"
         *       }
         *     }
         */
        ChangedSamples: {
            [key: string]: components["schemas"]["SampleData"];
        } | null;
        /**
         * @description the texts that {{t "key"}} prints, by language tag and key, at most 50 languages and 128 KiB
         * @example {
         *       "en": {
         *         "total": "Total"
         *       },
         *       "de": {
         *         "total": "Summe"
         *       }
         *     }
         */
        ChangedTranslations: {
            [key: string]: components["schemas"]["Dictionary"];
        } | null;
        UpdateTemplateRequest: {
            name?: string;
            /** @description Handlebars source, at most 512 KiB */
            html?: string;
            sample_data?: {
                [key: string]: unknown;
            };
            /** @description Handlebars source of the header of each page, at most 64 KiB; `options.header_html` of a request overrides it */
            header_html?: string | null;
            /** @description Handlebars source of the footer of each page, at most 64 KiB; `options.footer_html` of a request overrides it */
            footer_html?: string | null;
            /**
             * @description JavaScript that exports the helpers of the template, at most 64 KiB; an operator allows it with OWN_HELPERS=on
             * @example export const gross = (net, rate) => net * (1 + rate / 100)
             */
            helpers?: string | null;
            /** @description documents use the newest versions of partials, instead of those that the template was saved with */
            follow_partials?: boolean | null;
            /**
             * @description days for which the input is kept, encrypted, so that the document can be rendered again; 0: not. Default: as the deployment has it, usually 0
             * @example 7
             */
            retain_input?: number | null;
            options?: components["schemas"]["ChangedTemplateOptions"];
            /** @description JSON Schema (2020-12) that the data of a request and the samples must match, at most 64 KiB */
            data_schema?: {
                [key: string]: unknown;
            } | null;
            samples?: components["schemas"]["ChangedSamples"];
            translations?: components["schemas"]["ChangedTranslations"];
        };
        MarginPatch: {
            /** @description millimetres */
            top?: number | null;
            /** @description millimetres */
            bottom?: number | null;
            /** @description millimetres */
            left?: number | null;
            /** @description millimetres */
            right?: number | null;
        } | null;
        WaitForPatch: {
            /** @description CSS selector; waits until an element matches */
            selector?: string | null;
            /** @description JavaScript expression; waits until it is truthy in the document. A promise is awaited */
            expression?: string | null;
            /** @description waits this many milliseconds after the document has loaded */
            ms?: number | null;
        } | null;
        DocumentInfoPatch: {
            title?: string | null;
            author?: string | null;
            subject?: string | null;
            keywords?: string | null;
        } | null;
        BackgroundStepPatch: {
            /** @description a PDF asset */
            asset?: string | null;
            /** @description `all`, `first`, `last`, or ascending page numbers and ranges */
            pages?: string | null;
        } | null;
        PdfMetadataPatch: {
            title?: string | null;
            author?: string | null;
            subject?: string | null;
            keywords?: string[] | null;
            creator?: string | null;
            /** @description entries of the document information with names of your own: letters, digits and _, at most 50 each */
            custom?: unknown;
            /** @description RFC 3339 */
            created_at?: string | null;
        } | null;
        ConformanceStepPatch: {
            /**
             * @description PDF/A-1b, -2b or -3b (ISO 19005). 1b has no transparency; files may be attached to 3b only. One of `1b`, `2b`, `3b`; later versions may add others.
             * @enum {string|null}
             */
            pdf_a?: "1b" | "2b" | "3b" | null;
            /**
             * @description PDF/UA-1 (ISO 14289-1). One of `1`; later versions may add others.
             * @enum {string|null}
             */
            pdf_ua?: "1" | null;
        } | null;
        EInvoiceStepPatch: {
            /**
             * @description Factur-X 1.0, which is ZUGFeRD 2. One of `factur-x`; later versions may add others.
             * @enum {string|null}
             */
            standard?: "factur-x" | null;
            /**
             * @description One of `minimum`, `basic-wl`, `basic`, `en16931`, `extended`, `xrechnung`; later versions may add others.
             * @enum {string|null}
             */
            profile?: "minimum" | "basic-wl" | "basic" | "en16931" | "extended" | "xrechnung" | null;
            /** @description the invoice in UN/CEFACT CII; a Handlebars template, as the document is */
            xml?: string | null;
        } | null;
        ImagesStepPatch: {
            /**
             * @description One of `png`, `jpeg`, `webp`; later versions may add others.
             * @enum {string|null}
             */
            format?: "png" | "jpeg" | "webp" | null;
            /** @description `all`, `first`, `last`, or ascending page numbers and ranges */
            pages?: string | null;
            /** @description of each picture, in pixels */
            width?: number | null;
            /** @description pixels per inch */
            dpi?: number | null;
        } | null;
        PdfPermissionsPatch: {
            print?: boolean | null;
            extract?: boolean | null;
            modify?: boolean | null;
            annotate?: boolean | null;
            fill_forms?: boolean | null;
            assemble?: boolean | null;
        } | null;
        ProtectStepPatch: {
            /** @description needed to open the PDF, at most 127 bytes in UTF-8; default: none */
            user_password?: string | null;
            /** @description gives all permissions, at most 127 bytes in UTF-8; default: a random one */
            owner_password?: string | null;
            permissions?: components["schemas"]["PdfPermissionsPatch"];
        } | null;
        VisibleSignaturePatch: {
            page?: number | null;
            /** @description millimetres from the left */
            x?: number | null;
            /** @description millimetres from the top */
            y?: number | null;
            /** @description millimetres */
            width?: number | null;
            /** @description millimetres */
            height?: number | null;
            text?: string | null;
        } | null;
        SignStepPatch: {
            /** @description the name of a signing key of the deployment */
            key?: string | null;
            reason?: string | null;
            location?: string | null;
            visible?: components["schemas"]["VisibleSignaturePatch"];
        } | null;
        OutputOptionsPatch: {
            background?: components["schemas"]["BackgroundStepPatch"];
            append?: components["schemas"]["AppendedPdf"][] | null;
            stamps?: components["schemas"]["Stamp"][] | null;
            metadata?: components["schemas"]["PdfMetadataPatch"];
            /** @description files in the PDF, each with another name */
            attachments?: components["schemas"]["Attachment"][] | null;
            conformance?: components["schemas"]["ConformanceStepPatch"];
            e_invoice?: components["schemas"]["EInvoiceStepPatch"];
            images?: components["schemas"]["ImagesStepPatch"];
            protect?: components["schemas"]["ProtectStepPatch"];
            sign?: components["schemas"]["SignStepPatch"];
        } | null;
        TemplateOptionsPatch: {
            /**
             * @description default: A4. One of `A4`, `A3`, `A5`, `Letter`, `Legal`, `Tabloid`; later versions may add others.
             * @enum {string|null}
             */
            format?: "A4" | "A3" | "A5" | "Letter" | "Legal" | "Tabloid" | null;
            /** @description swaps the sides of the format */
            landscape?: boolean | null;
            /** @description of the sheet, with a unit; default: that of the format */
            width?: string | null;
            /** @description of the sheet, with a unit; default: that of the format */
            height?: string | null;
            /** @description the document's `@page { size }` chooses the paper */
            prefer_css_page_size?: boolean | null;
            /** @description one page, as tall as the document */
            single_page?: boolean | null;
            /** @description One of print, screen. default: print: the CSS media type that applies */
            media?: string | null;
            /** @description values of CSS media features */
            media_features?: unknown;
            margin?: components["schemas"]["MarginPatch"];
            /** @description prints background colours and pictures */
            print_background?: boolean | null;
            /** @description the size of the content on the sheet */
            scale?: number | null;
            /** @description default: all pages. Ascending */
            page_ranges?: string | null;
            /** @description One of auto, on, off. default: auto, which runs scripts when the document contains any */
            javascript?: string | null;
            wait_for?: components["schemas"]["WaitForPatch"];
            /** @description runs animations and timers of up to 5 s to their end, in virtual time, before the print */
            finish_animations?: boolean | null;
            /** @description how long the document may take to load and print; at most the limit of the deployment, which is the default */
            timeout_ms?: number | null;
            /** @description http or https: the relative URLs of the document are resolved with it */
            base_url?: string | null;
            /** @description bookmarks from the headings h1 to h6; this also tags the PDF */
            outline?: boolean | null;
            /** @description include the document structure, for assistive technology */
            tagged?: boolean | null;
            /** @description inputs, text areas and selects of the document become form fields of the PDF, which can be filled in */
            form_fields?: boolean | null;
            document_info?: components["schemas"]["DocumentInfoPatch"];
            /** @description default: en-US. A language tag, or {{path}}: the data have it there. The default of every helper, of the digits of contents lists, and of scripts */
            locale?: string | null;
            /** @description default: UTC. A name of the IANA database, or {{path}}: the data have it there. For helpers and scripts */
            timezone?: string | null;
            /** @description default: none. A warning with one of these codes makes the generation fail with RENDER_FAILED */
            fail_on?: components["schemas"]["WarningCode"][] | null;
            /** @description a value that the template prints and the data does not have is a TEMPLATE_RENDER_ERROR */
            strict?: boolean | null;
            output?: components["schemas"]["OutputOptionsPatch"];
        } | null;
        DictionaryPatch: {
            [key: string]: string | null;
        } | null;
        TranslationsPatch: {
            [key: string]: components["schemas"]["DictionaryPatch"];
        } | null;
        SampleDataPatch: {
            [key: string]: unknown;
        } | null;
        SamplesPatch: {
            [key: string]: components["schemas"]["SampleDataPatch"];
        } | null;
        MergeTemplateRequest: {
            name?: string;
            /** @description Handlebars source, at most 512 KiB */
            html?: string;
            sample_data?: {
                [key: string]: unknown;
            };
            /** @description Handlebars source of the header of each page, at most 64 KiB; `options.header_html` of a request overrides it */
            header_html?: string | null;
            /** @description Handlebars source of the footer of each page, at most 64 KiB; `options.footer_html` of a request overrides it */
            footer_html?: string | null;
            /**
             * @description JavaScript that exports the helpers of the template, at most 64 KiB; an operator allows it with OWN_HELPERS=on
             * @example export const gross = (net, rate) => net * (1 + rate / 100)
             */
            helpers?: string | null;
            /** @description documents use the newest versions of partials, instead of those that the template was saved with */
            follow_partials?: boolean | null;
            /**
             * @description days for which the input is kept, encrypted, so that the document can be rendered again; 0: not. Default: as the deployment has it, usually 0
             * @example 7
             */
            retain_input?: number | null;
            options?: components["schemas"]["TemplateOptionsPatch"];
            translations?: components["schemas"]["TranslationsPatch"];
            data_schema?: {
                [key: string]: unknown;
            } | null;
            samples?: components["schemas"]["SamplesPatch"];
        };
        /**
         * @description One of `created`, `updated`, `deleted`, `restored`; later versions may add others.
         * @enum {string}
         */
        TemplateChange: "created" | "updated" | "deleted" | "restored";
        TemplateVersionSummary: {
            version: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            change: components["schemas"]["TemplateChange"];
            /** @description the fields that differ from the version before */
            changed: string[];
            /** @description the version whose content it has again */
            restored_from?: number;
            labels: string[];
            /** @description the request that made it */
            request_id?: string;
            /** @description the API key of that request; absent for an operator */
            api_key_id?: string;
            /**
             * @description the name of that API key now; absent if it is of another owner
             * @example shop
             */
            api_key_name?: string;
        };
        /** @description A page of versions. */
        TemplateVersionPage: {
            data: components["schemas"]["TemplateVersionSummary"][];
            /** @description Present if there are more items: send it as `cursor` to get the next page. */
            next_cursor?: string;
        };
        RestoreTemplateRequest: {
            version: number;
        };
        LabelRequest: {
            version: number;
        };
        TemplateLabelsResponse: {
            labels: components["schemas"]["TemplateLabels"];
        };
        /** @description how many values it takes */
        HelperArguments: {
            min: number;
            max: number;
        };
        HelperExample: {
            template: string;
            data?: {
                [key: string]: unknown;
            };
            /** @description with these data. `<svg …>` stands for any drawing */
            result: string;
        };
        Helper: {
            /** @example formatNumber */
            name: string;
            /**
             * @description the heading under which it is documented
             * @example Numbers
             */
            family: string;
            /**
             * @description how it is called; several ways have ` | ` between them
             * @example formatNumber value decimals= locale=
             */
            signature: string;
            description: string;
            /** @description whether it has a content: `{{#name}}…{{/name}}` */
            block: boolean;
            arguments: components["schemas"]["HelperArguments"];
            /**
             * @description the arguments that are written `name=value`
             * @example [
             *       "decimals",
             *       "locale"
             *     ]
             */
            named: string[];
            examples: components["schemas"]["HelperExample"][];
        };
        /** @description All helpers. */
        HelperList: {
            data: components["schemas"]["Helper"][];
        };
        TemplateDifference: {
            /**
             * @description the field, or the path in it
             * @example options.margin.top
             */
            path: string;
            /** @description the value in the older version; absent if it has none, or if it is large */
            from?: unknown;
            /** @description the value in the newer version; absent if it has none, or if it is large */
            to?: unknown;
            /** @description of a source: what differs, as a unified diff */
            diff?: string;
            /** @description the values are left out, as they are large */
            large?: boolean;
        };
        /**
         * @description One of `same`, `changed`, `added`, `removed`; later versions may add others.
         * @enum {string}
         */
        PageChange: "same" | "changed" | "added" | "removed";
        PageArea: {
            /** @description from the left edge of the page, in mm */
            x: number;
            /** @description from the top edge of the page, in mm */
            y: number;
            /** @description in mm */
            width: number;
            /** @description in mm */
            height: number;
        };
        ComparedPageSide: {
            /** @description the number of the page in its document */
            page: number;
            /** @description in mm */
            width: number;
            /** @description in mm */
            height: number;
            /** @description with `images`, unless the page is the same: a PNG in Base64, one pixel for a CSS pixel */
            image?: string;
        };
        ComparedPage: {
            status: components["schemas"]["PageChange"];
            /** @description pixels that differ, as a share of the page: 0 for `same`, 1 for `added` and `removed` */
            share: number;
            /** @description around what differs on a `changed` page, at most 50 */
            boxes: components["schemas"]["PageArea"][];
            from?: components["schemas"]["ComparedPageSide"];
            to?: components["schemas"]["ComparedPageSide"];
        };
        ComparedDocument: {
            pages: number;
            warnings: components["schemas"]["Warning"][];
        };
        ComparedDocuments: {
            from: components["schemas"]["ComparedDocument"];
            to: components["schemas"]["ComparedDocument"];
            engine: components["schemas"]["Engine"];
            /** @description how long printing and comparing took, with waiting for a renderer */
            duration_ms: number;
        };
        TemplateComparison: {
            from: number;
            to: number;
            /** @description the fields that differ */
            changed: string[];
            differences: components["schemas"]["TemplateDifference"][];
            /** @description there are more differences than are listed */
            truncated?: boolean;
            /** @description if they were asked for: the pages of both versions, in their order */
            pages?: components["schemas"]["ComparedPage"][];
            printed?: components["schemas"]["ComparedDocuments"];
        };
        /**
         * @description what differs in it does not count
         * @example {
         *       "x": 150,
         *       "y": 10,
         *       "width": 50,
         *       "height": 10
         *     }
         */
        IgnoredArea: {
            /** @description from the left edge of the page, in mm */
            x: number;
            /** @description from the top edge of the page, in mm */
            y: number;
            /** @description in mm */
            width: number;
            /** @description in mm */
            height: number;
            /** @description a page of the newer version. Default: all pages */
            page?: number;
        };
        ComparePagesRequest: {
            data?: {
                [key: string]: unknown;
            };
            /** @description of pages: a set of `samples` of the newer version. Default: its `sample_data` */
            sample?: string;
            /** @description such as that of a date */
            ignore?: components["schemas"]["IgnoredArea"][];
        };
        GenerationComparison: {
            /** @description the generation whose pages are the earlier ones */
            from: string;
            /** @description the generation that it is compared with */
            to: string;
            /** @description the pages of both, in their order */
            pages: components["schemas"]["ComparedPage"][];
        };
        /** @description A page of assets. */
        AssetPage: {
            data: components["schemas"]["Asset"][];
            /** @description Present if there are more items: send it as `cursor` to get the next page. */
            next_cursor?: string;
        };
        AssetVersion: {
            /** @description Counts the contents that the name has had. */
            version: number;
            type: components["schemas"]["AssetType"];
            /** @example 1204 */
            bytes: number;
            /** @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
            sha256: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
        };
        /** @description A page of versions. */
        AssetVersionPage: {
            data: components["schemas"]["AssetVersion"][];
            /** @description Present if there are more items: send it as `cursor` to get the next page. */
            next_cursor?: string;
        };
        TemplateWithAsset: {
            id: string;
            slug: string;
            /** @description A version of the template that has a label, or is the newest. */
            version: number;
            /** @description It is the newest version. */
            newest: boolean;
            /** @description The labels of the version. */
            labels: string[];
            /** @description The version of the asset that it prints. */
            asset_version: number;
        };
        AssetUsageCounts: {
            templates: number;
            style_sheets: number;
        };
        AssetUsage: {
            /** @description The newest and the labelled versions of templates that name the asset; at most 1000. */
            templates: components["schemas"]["TemplateWithAsset"][];
            /** @description The assets that name it. */
            style_sheets: string[];
            counts: components["schemas"]["AssetUsageCounts"];
        };
        /** @enum {string} */
        PartialVersionStatus: "active" | "deleted";
        PartialVersion: {
            version: number;
            status: components["schemas"]["PartialVersionStatus"];
            created_at: string;
            /** @description absent in a deletion */
            html_sha256?: string;
        };
        /** @description A page of versions. */
        PartialVersionPage: {
            data: components["schemas"]["PartialVersion"][];
            /** @description Present if there are more items: send it as `cursor` to get the next page. */
            next_cursor?: string;
        };
        TemplateWithPartial: {
            id: string;
            slug: string;
            /** @description a version of the template that has a label, or is the newest */
            version: number;
            /** @description it is the newest version */
            newest: boolean;
            /** @description the labels of the version */
            labels: string[];
            /** @description absent if the template follows */
            partial_version?: number;
            /** @description uses the newest version of the partial */
            follows: boolean;
        };
        PartialWithPartial: {
            id: string;
            name: string;
            version: number;
        };
        PartialUsageCounts: {
            templates: number;
            partials: number;
        };
        PartialUsage: {
            /** @description the newest and the labelled versions of templates that use the partial, also through others; at most 1000 */
            templates: components["schemas"]["TemplateWithPartial"][];
            /** @description partials that call it; at most 1000 */
            partials: components["schemas"]["PartialWithPartial"][];
            counts: components["schemas"]["PartialUsageCounts"];
        };
        CreatePartialRequest: {
            /** @example letterhead */
            name: string;
            /** @description Handlebars source, at most 512 KiB */
            html: string;
        };
        ListedPartial: {
            /** @example prt_01k9x2v7w3d5e8f0g2h4j6k8m0 */
            id: string;
            /** @example letterhead */
            name: string;
            html?: string;
            version: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at: string;
        };
        /** @description A page of partials. */
        PartialPage: {
            data: components["schemas"]["ListedPartial"][];
            /** @description Present if there are more items: send it as `cursor` to get the next page. */
            next_cursor?: string;
        };
        UpdatePartialRequest: {
            /** @description Handlebars source, at most 512 KiB */
            html: string;
        };
        DeletedPartial: {
            id: string;
            name: string;
            /** @description templates that use it; those that follow partials cannot be filled any more */
            templates: number;
            /** @description partials that call it */
            partials: number;
        };
        GenerateOptions: {
            format?: components["schemas"]["PaperFormat"];
            /**
             * @description swaps the sides of the format
             * @default false
             */
            landscape?: boolean;
            /**
             * @description of the sheet, with a unit; default: that of the format
             * @example 210mm
             * @example 8.5in
             * @example 600px
             */
            width?: string;
            /**
             * @description of the sheet, with a unit; default: that of the format
             * @example 210mm
             * @example 8.5in
             * @example 600px
             */
            height?: string;
            /**
             * @description the document's `@page { size }` chooses the paper
             * @default true
             */
            prefer_css_page_size?: boolean;
            /**
             * @description one page, as tall as the document
             * @default false
             */
            single_page?: boolean;
            media?: components["schemas"]["MediaOption"];
            media_features?: components["schemas"]["MediaFeatures"];
            margin?: components["schemas"]["Margin"];
            /** @description HTML; elements of the classes pageNumber, totalPages, date, title and url are filled in, and elements with data-platen-pages, such as "first", "last" or "not first", are printed on these pages only; data-platen-carry shows sums that are carried forward */
            header_html?: string;
            /** @description HTML; elements of the classes pageNumber, totalPages, date, title and url are filled in, and elements with data-platen-pages, such as "first", "last" or "not first", are printed on these pages only; data-platen-carry shows sums that are carried forward */
            footer_html?: string;
            /**
             * @description prints background colours and pictures
             * @default true
             */
            print_background?: boolean;
            /**
             * @description the size of the content on the sheet
             * @default 1
             */
            scale?: number;
            /**
             * @description default: all pages. Ascending
             * @example 1-3, 5, 8-
             */
            page_ranges?: string;
            javascript?: components["schemas"]["JavascriptOption"];
            wait_for?: components["schemas"]["WaitFor"];
            /**
             * @description runs animations and timers of up to 5 s to their end, in virtual time, before the print
             * @default true
             */
            finish_animations?: boolean;
            /** @description how long the document may take to load and print; at most the limit of the deployment, which is the default */
            timeout_ms?: number;
            /**
             * @description http or https: the relative URLs of the document are resolved with it
             * @example https://example.com/invoices/
             */
            base_url?: string;
            /**
             * @description bookmarks from the headings h1 to h6; this also tags the PDF
             * @default false
             */
            outline?: boolean;
            /**
             * @description include the document structure, for assistive technology
             * @default false
             */
            tagged?: boolean;
            /**
             * @description inputs, text areas and selects of the document become form fields of the PDF, which can be filled in
             * @default false
             */
            form_fields?: boolean;
            document_info?: components["schemas"]["DocumentInfo"];
            /**
             * @description default: en-US. A language tag, or {{path}}: the data have it there. The default of every helper, of the digits of contents lists, and of scripts
             * @example de-DE
             */
            locale?: string;
            /**
             * @description default: UTC. A name of the IANA database, or {{path}}: the data have it there. For helpers and scripts
             * @example Europe/Berlin
             */
            timezone?: string;
            /** @description default: none. A warning with one of these codes makes the generation fail with RENDER_FAILED */
            fail_on?: components["schemas"]["WarningCode"][];
            /**
             * @description a value that the template prints and the data does not have is a TEMPLATE_RENDER_ERROR
             * @default false
             */
            strict?: boolean;
            output?: components["schemas"]["OutputOptions"];
        };
        GenerateRequest: {
            /** @description HTML, or a Handlebars template if data is given */
            html?: string;
            /** @description template id or slug */
            template?: string;
            /** @description requires template. Default: its newest version */
            template_version?: number;
            /**
             * @description requires template: the version that has this label, instead of template_version
             * @example published
             */
            template_label?: string;
            data?: {
                [key: string]: unknown;
            };
            options?: components["schemas"]["GenerateOptions"];
            metadata?: components["schemas"]["Metadata"];
            /**
             * @description the name under which clients save the file; `.pdf`, or the ending of its type, is added if it is missing
             * @example Invoice 2026-0042.pdf
             */
            file_name?: string;
            /**
             * @description days for which the input is kept, encrypted, so that the document can be rendered again; 0: not. Default: as the deployment has it, usually 0
             * @example 7
             */
            retain_input?: number;
            /** @description respond at once with 202 */
            async?: boolean;
            /**
             * @description requires async: true; a POST is sent to it when the generation has ended
             * @example https://example.com/hooks/platen
             */
            webhook_url?: string;
        };
        /** @enum {string} */
        GenerationCompletedType: "generation.completed";
        RequestedTemplate: {
            id: string;
            version: number;
            slug: string;
        };
        /** @enum {string} */
        CompletedStatus: "completed";
        CompletedGeneration: {
            id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            api_key_id: string;
            template?: components["schemas"]["RequestedTemplate"];
            metadata: components["schemas"]["Metadata"];
            file_name: string;
            /** @description of /v1/pdf, such as merge */
            operation?: string;
            /** @description with an API key: the generation, with a newly signed `url` */
            generation_url: string;
            status: components["schemas"]["CompletedStatus"];
            /** @description signed URL of the file; needs no API key */
            url: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            url_expires_at: string;
            pages: number;
            /** @description bytes */
            size: number;
            /** @description of the file, in hexadecimal */
            sha256: string;
            duration_ms: number;
            warnings: components["schemas"]["Warning"][];
            /** @description of the file; absent for application/pdf */
            media_type?: string;
            steps?: components["schemas"]["StepResult"][];
        };
        /**
         * @example {
         *       "type": "generation.completed",
         *       "timestamp": "2026-01-31T12:00:01.000Z",
         *       "data": {
         *         "id": "pdf_01k9x2v7w3d5e8f0g2h4j6k8m0",
         *         "status": "completed",
         *         "created_at": "2026-01-31T12:00:00.000Z",
         *         "api_key_id": "key_5x0w8z7v3d2e8f0g2h4j6k8m0a",
         *         "template": {
         *           "id": "tpl_01k9x2v7w3d5e8f0g2h4j6k8m0",
         *           "version": 3,
         *           "slug": "monthly-invoice"
         *         },
         *         "metadata": {
         *           "order": "2026-0042"
         *         },
         *         "file_name": "Invoice 2026-0042.pdf",
         *         "url": "http://localhost:3000/v1/files/pdf_01k9x2v7w3d5e8f0g2h4j6k8m0.pdf?expires=1770465601&signature=…",
         *         "url_expires_at": "2026-02-07T12:00:01.000Z",
         *         "pages": 2,
         *         "size": 45120,
         *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *         "duration_ms": 84,
         *         "warnings": [
         *           {
         *             "code": "RESOURCE_FAILED",
         *             "message": "https://example.com/logo.png: not found (404)"
         *           }
         *         ],
         *         "generation_url": "http://localhost:3000/v1/generations/pdf_01k9x2v7w3d5e8f0g2h4j6k8m0"
         *       }
         *     }
         */
        GenerationCompletedWebhook: {
            type: components["schemas"]["GenerationCompletedType"];
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            timestamp: string;
            data: components["schemas"]["CompletedGeneration"];
        };
        /** @enum {string} */
        GenerationFailedType: "generation.failed";
        /** @enum {string} */
        FailedStatus: "failed";
        FailedGeneration: {
            id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            api_key_id: string;
            template?: components["schemas"]["RequestedTemplate"];
            metadata: components["schemas"]["Metadata"];
            file_name: string;
            /** @description of /v1/pdf, such as merge */
            operation?: string;
            /** @description with an API key: the generation, with a newly signed `url` */
            generation_url: string;
            status: components["schemas"]["FailedStatus"];
            error: components["schemas"]["Failure"];
        };
        /**
         * @example {
         *       "type": "generation.failed",
         *       "timestamp": "2026-01-31T12:00:01.000Z",
         *       "data": {
         *         "id": "pdf_01k9x2v7w3d5e8f0g2h4j6k8m0",
         *         "status": "failed",
         *         "created_at": "2026-01-31T12:00:00.000Z",
         *         "api_key_id": "key_5x0w8z7v3d2e8f0g2h4j6k8m0a",
         *         "template": {
         *           "id": "tpl_01k9x2v7w3d5e8f0g2h4j6k8m0",
         *           "version": 3,
         *           "slug": "monthly-invoice"
         *         },
         *         "metadata": {
         *           "order": "2026-0042"
         *         },
         *         "file_name": "Invoice 2026-0042.pdf",
         *         "error": {
         *           "code": "TEMPLATE_RENDER_ERROR",
         *           "message": "The template cannot be run with this data"
         *         },
         *         "generation_url": "http://localhost:3000/v1/generations/pdf_01k9x2v7w3d5e8f0g2h4j6k8m0"
         *       }
         *     }
         */
        GenerationFailedWebhook: {
            type: components["schemas"]["GenerationFailedType"];
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            timestamp: string;
            data: components["schemas"]["FailedGeneration"];
        };
        /** @enum {string} */
        GenerationCancelledType: "generation.cancelled";
        /** @enum {string} */
        CancelledStatus: "cancelled";
        CancelledGeneration: {
            id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            api_key_id: string;
            template?: components["schemas"]["RequestedTemplate"];
            metadata: components["schemas"]["Metadata"];
            file_name: string;
            /** @description of /v1/pdf, such as merge */
            operation?: string;
            /** @description with an API key: the generation, with a newly signed `url` */
            generation_url: string;
            status: components["schemas"]["CancelledStatus"];
        };
        /**
         * @example {
         *       "type": "generation.cancelled",
         *       "timestamp": "2026-01-31T12:00:01.000Z",
         *       "data": {
         *         "id": "pdf_01k9x2v7w3d5e8f0g2h4j6k8m0",
         *         "status": "cancelled",
         *         "created_at": "2026-01-31T12:00:00.000Z",
         *         "api_key_id": "key_5x0w8z7v3d2e8f0g2h4j6k8m0a",
         *         "template": {
         *           "id": "tpl_01k9x2v7w3d5e8f0g2h4j6k8m0",
         *           "version": 3,
         *           "slug": "monthly-invoice"
         *         },
         *         "metadata": {
         *           "order": "2026-0042"
         *         },
         *         "file_name": "Invoice 2026-0042.pdf",
         *         "generation_url": "http://localhost:3000/v1/generations/pdf_01k9x2v7w3d5e8f0g2h4j6k8m0"
         *       }
         *     }
         */
        GenerationCancelledWebhook: {
            type: components["schemas"]["GenerationCancelledType"];
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            timestamp: string;
            data: components["schemas"]["CancelledGeneration"];
        };
        GenerationWebhook: components["schemas"]["GenerationCompletedWebhook"] | components["schemas"]["GenerationFailedWebhook"] | components["schemas"]["GenerationCancelledWebhook"];
        /** @description A page of generations. */
        GenerationPage: {
            data: components["schemas"]["Generation"][];
            /** @description Present if there are more items: send it as `cursor` to get the next page. */
            next_cursor?: string;
        };
        /**
         * @description `attempt`: a renderer worked on it; `template`, `print` and `store` are parts of the last attempt; `webhook`: a request to the receiver. One of `queued`, `attempt`, `template`, `print`, `store`, `webhook`; later versions may add others.
         * @enum {string}
         */
        SpanName: "queued" | "attempt" | "template" | "print" | "store" | "webhook";
        TimelineSpan: {
            name: components["schemas"]["SpanName"];
            /** @description of the renderer, or of the webhook */
            attempt?: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            start_at: string;
            /** @description since `accepted_at`, in ms */
            offset_ms: number;
            /** @description absent while it goes on */
            duration_ms?: number;
            /** @description the process of an attempt */
            renderer?: string;
            /** @description HTTP status of the receiver */
            status?: number;
            /** @description why there was no answer of the receiver */
            error?: string;
        };
        TimelineEvent: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            at: string;
            /** @description since `accepted_at`, in ms */
            offset_ms: number;
            /** @description since the event before, in ms */
            since_previous_ms: number;
            /** @description that of the recorded event; `queued` of one in the queue, `object` of a file */
            type: string;
            /** @description the generation, its delivery, or the key of its file */
            subject: string;
            /** @description for a person */
            what: string;
            /** @description its place in the stream */
            revision?: number;
            event_id?: string;
            /** @description the request that caused it */
            request_id?: string;
            /** @description the command that caused it */
            command_id?: string;
            /** @description how long it took, if it is known */
            duration_ms?: number;
        };
        /** @description The way of a generation from its request to its webhook. */
        GenerationTimeline: {
            /** @example pdf_01k9x2v7w3d5e8f0g2h4j6k8m0 */
            generation_id: string;
            status: components["schemas"]["GenerationStatus"];
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            accepted_at: string;
            /** @description from the first to the last event */
            duration_ms: number;
            /** @description the process of the last attempt */
            renderer?: string;
            /** @description how often a renderer has begun */
            attempts: number;
            /** @description from the request until a renderer began */
            queue_ms?: number;
            warnings: components["schemas"]["Warning"][];
            error?: components["schemas"]["Failure"];
            request_ids: string[];
            command_ids: string[];
            /** @description what took time, for an axis */
            spans: components["schemas"]["TimelineSpan"][];
            /** @description oldest first; of a webhook that was redelivered often the newest 500 */
            events: components["schemas"]["TimelineEvent"][];
            /** @description what is missing, and why */
            notes: string[];
        };
        /** @default {} */
        RetryRequest: {
            /** @description the version of its template to render. Default: that of the earlier one */
            template_version?: number;
            /**
             * @description the version of its template that has this label, instead of template_version
             * @example published
             */
            template_label?: string;
            /**
             * @description days for which its input is kept. Default: as the earlier one
             * @example 7
             */
            retain_input?: number;
        };
        Erasure: {
            /** @example pdf_01k9x2v7w3d5e8f0g2h4j6k8m0 */
            generation_id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            erased_at: string;
            /** @description files that existed: the PDF, those of other attempts, the input; of an item of a batch, those that had it with other items, which are written anew */
            objects: number;
            /** @description render commands with the input that had failed */
            dead_letters: number;
            /** @description of the PDF, in hex: which file is gone */
            sha256?: string;
            /** @description of the kept input as it was stored, encrypted; in hex: its key is gone, too */
            input_sha256?: string;
        };
        /** @description a PDF; exactly one of generation, asset and content_base64 */
        PdfSource: {
            /**
             * @description the id of a completed generation; needs the scope generations:read
             * @example pdf_01k9x2v7w3d5e8f0g2h4j6k8m0
             */
            generation?: string;
            /**
             * @description the name of a PDF asset
             * @example terms.pdf
             */
            asset?: string;
            /** @description a PDF in Base64; store a large one as an asset */
            content_base64?: string;
            /** @description the user or the owner password of an encrypted PDF */
            password?: string;
        };
        MergeRequest: {
            /** @description in the order of their pages */
            sources: components["schemas"]["PdfSource"][];
            /**
             * @description an entry of the outline for each PDF, with its own outline below
             * @default false
             */
            outline?: boolean;
            /** @description of these entries, in order; default: the titles of the PDFs */
            titles?: string[];
            output?: components["schemas"]["OutputOptions"];
            metadata?: components["schemas"]["Metadata"];
            /**
             * @description the name under which clients save the file; `.pdf`, or the ending of its type, is added if it is missing
             * @example Invoice 2026-0042.pdf
             */
            file_name?: string;
            /** @description respond at once with 202 */
            async?: boolean;
            /**
             * @description requires async: true; a POST is sent to it when the generation has ended
             * @example https://example.com/hooks/platen
             */
            webhook_url?: string;
        };
        SplitRequest: {
            source: components["schemas"]["PdfSource"];
            /** @description a PDF for each: `["1-2", "3-"]` */
            ranges?: string[];
            /** @description a PDF for each group of so many pages; default: 1 */
            every?: number;
            output?: components["schemas"]["OutputOptions"];
            metadata?: components["schemas"]["Metadata"];
            /**
             * @description the name under which clients save the file; `.pdf`, or the ending of its type, is added if it is missing
             * @example Invoice 2026-0042.pdf
             */
            file_name?: string;
            /** @description respond at once with 202 */
            async?: boolean;
            /**
             * @description requires async: true; a POST is sent to it when the generation has ended
             * @example https://example.com/hooks/platen
             */
            webhook_url?: string;
        };
        StampRequest: {
            source: components["schemas"]["PdfSource"];
            stamps: components["schemas"]["Stamp"][];
            output?: components["schemas"]["OutputOptions"];
            metadata?: components["schemas"]["Metadata"];
            /**
             * @description the name under which clients save the file; `.pdf`, or the ending of its type, is added if it is missing
             * @example Invoice 2026-0042.pdf
             */
            file_name?: string;
            /** @description respond at once with 202 */
            async?: boolean;
            /**
             * @description requires async: true; a POST is sent to it when the generation has ended
             * @example https://example.com/hooks/platen
             */
            webhook_url?: string;
        };
        ProtectRequest: {
            source: components["schemas"]["PdfSource"];
            protect: components["schemas"]["ProtectStep"];
            output?: components["schemas"]["OutputOptions"];
            metadata?: components["schemas"]["Metadata"];
            /**
             * @description the name under which clients save the file; `.pdf`, or the ending of its type, is added if it is missing
             * @example Invoice 2026-0042.pdf
             */
            file_name?: string;
            /** @description respond at once with 202 */
            async?: boolean;
            /**
             * @description requires async: true; a POST is sent to it when the generation has ended
             * @example https://example.com/hooks/platen
             */
            webhook_url?: string;
        };
        UnlockRequest: {
            source: components["schemas"]["PdfSource"];
            output?: components["schemas"]["OutputOptions"];
            metadata?: components["schemas"]["Metadata"];
            /**
             * @description the name under which clients save the file; `.pdf`, or the ending of its type, is added if it is missing
             * @example Invoice 2026-0042.pdf
             */
            file_name?: string;
            /** @description respond at once with 202 */
            async?: boolean;
            /**
             * @description requires async: true; a POST is sent to it when the generation has ended
             * @example https://example.com/hooks/platen
             */
            webhook_url?: string;
        };
        AttachRequest: {
            source: components["schemas"]["PdfSource"];
            /** @description files in the PDF, each with another name */
            attachments: components["schemas"]["Attachment"][];
            output?: components["schemas"]["OutputOptions"];
            metadata?: components["schemas"]["Metadata"];
            /**
             * @description the name under which clients save the file; `.pdf`, or the ending of its type, is added if it is missing
             * @example Invoice 2026-0042.pdf
             */
            file_name?: string;
            /** @description respond at once with 202 */
            async?: boolean;
            /**
             * @description requires async: true; a POST is sent to it when the generation has ended
             * @example https://example.com/hooks/platen
             */
            webhook_url?: string;
        };
        MetadataRequest: {
            source: components["schemas"]["PdfSource"];
            pdf_metadata: components["schemas"]["PdfMetadata"];
            output?: components["schemas"]["OutputOptions"];
            metadata?: components["schemas"]["Metadata"];
            /**
             * @description the name under which clients save the file; `.pdf`, or the ending of its type, is added if it is missing
             * @example Invoice 2026-0042.pdf
             */
            file_name?: string;
            /** @description respond at once with 202 */
            async?: boolean;
            /**
             * @description requires async: true; a POST is sent to it when the generation has ended
             * @example https://example.com/hooks/platen
             */
            webhook_url?: string;
        };
        FlattenRequest: {
            source: components["schemas"]["PdfSource"];
            output?: components["schemas"]["OutputOptions"];
            metadata?: components["schemas"]["Metadata"];
            /**
             * @description the name under which clients save the file; `.pdf`, or the ending of its type, is added if it is missing
             * @example Invoice 2026-0042.pdf
             */
            file_name?: string;
            /** @description respond at once with 202 */
            async?: boolean;
            /**
             * @description requires async: true; a POST is sent to it when the generation has ended
             * @example https://example.com/hooks/platen
             */
            webhook_url?: string;
        };
        RotateRequest: {
            source: components["schemas"]["PdfSource"];
            /**
             * @description clockwise: a multiple of 90
             * @example 90
             */
            degrees: number;
            /**
             * @description `all`, `first`, `last`, or ascending page numbers and ranges
             * @example 1-3, 5, 8-
             */
            pages?: string;
            output?: components["schemas"]["OutputOptions"];
            metadata?: components["schemas"]["Metadata"];
            /**
             * @description the name under which clients save the file; `.pdf`, or the ending of its type, is added if it is missing
             * @example Invoice 2026-0042.pdf
             */
            file_name?: string;
            /** @description respond at once with 202 */
            async?: boolean;
            /**
             * @description requires async: true; a POST is sent to it when the generation has ended
             * @example https://example.com/hooks/platen
             */
            webhook_url?: string;
        };
        OptimizeRequest: {
            source: components["schemas"]["PdfSource"];
            output?: components["schemas"]["OutputOptions"];
            metadata?: components["schemas"]["Metadata"];
            /**
             * @description the name under which clients save the file; `.pdf`, or the ending of its type, is added if it is missing
             * @example Invoice 2026-0042.pdf
             */
            file_name?: string;
            /** @description respond at once with 202 */
            async?: boolean;
            /**
             * @description requires async: true; a POST is sent to it when the generation has ended
             * @example https://example.com/hooks/platen
             */
            webhook_url?: string;
        };
        ImagesRequest: {
            source: components["schemas"]["PdfSource"];
            images: components["schemas"]["ImagesStep"];
            output?: components["schemas"]["OutputOptions"];
            metadata?: components["schemas"]["Metadata"];
            /**
             * @description the name under which clients save the file; `.pdf`, or the ending of its type, is added if it is missing
             * @example Invoice 2026-0042.pdf
             */
            file_name?: string;
            /** @description respond at once with 202 */
            async?: boolean;
            /**
             * @description requires async: true; a POST is sent to it when the generation has ended
             * @example https://example.com/hooks/platen
             */
            webhook_url?: string;
        };
        ConvertRequest: {
            source: components["schemas"]["PdfSource"];
            conformance?: components["schemas"]["ConformanceStep"];
            e_invoice?: components["schemas"]["EInvoiceStep"];
            output?: components["schemas"]["OutputOptions"];
            metadata?: components["schemas"]["Metadata"];
            /**
             * @description the name under which clients save the file; `.pdf`, or the ending of its type, is added if it is missing
             * @example Invoice 2026-0042.pdf
             */
            file_name?: string;
            /** @description respond at once with 202 */
            async?: boolean;
            /**
             * @description requires async: true; a POST is sent to it when the generation has ended
             * @example https://example.com/hooks/platen
             */
            webhook_url?: string;
        };
        SignRequest: {
            source: components["schemas"]["PdfSource"];
            sign: components["schemas"]["SignStep"];
            output?: components["schemas"]["OutputOptions"];
            metadata?: components["schemas"]["Metadata"];
            /**
             * @description the name under which clients save the file; `.pdf`, or the ending of its type, is added if it is missing
             * @example Invoice 2026-0042.pdf
             */
            file_name?: string;
            /** @description respond at once with 202 */
            async?: boolean;
            /**
             * @description requires async: true; a POST is sent to it when the generation has ended
             * @example https://example.com/hooks/platen
             */
            webhook_url?: string;
        };
        /**
         * @description the values of form fields by their full names: texts, choices, and true or false for check boxes
         * @example {
         *       "customer.name": "Ada",
         *       "agreed": true
         *     }
         */
        FormValues: {
            [key: string]: string | number | boolean | string[];
        };
        FillRequest: {
            source: components["schemas"]["PdfSource"];
            fields: components["schemas"]["FormValues"];
            /**
             * @description the values become page content that cannot be edited
             * @default false
             */
            flatten?: boolean;
            output?: components["schemas"]["OutputOptions"];
            metadata?: components["schemas"]["Metadata"];
            /**
             * @description the name under which clients save the file; `.pdf`, or the ending of its type, is added if it is missing
             * @example Invoice 2026-0042.pdf
             */
            file_name?: string;
            /** @description respond at once with 202 */
            async?: boolean;
            /**
             * @description requires async: true; a POST is sent to it when the generation has ended
             * @example https://example.com/hooks/platen
             */
            webhook_url?: string;
        };
        /** @description what it leaves out, it has from the batch */
        BatchItem: {
            /** @description HTML, or a Handlebars template if data is given */
            html?: string;
            /** @description template id or slug */
            template?: string;
            /** @description requires template. Default: its newest version */
            template_version?: number;
            /**
             * @description requires template: the version that has this label, instead of template_version
             * @example published
             */
            template_label?: string;
            options?: components["schemas"]["GenerateOptions"];
            metadata?: components["schemas"]["Metadata"];
            /**
             * @description the name under which clients save the PDF. `{{customer.number}}` is replaced with this value of the data, `{{index}}` with the place of the item
             * @example Invoice {{number}}
             */
            file_name?: string;
            data?: {
                [key: string]: unknown;
            };
        };
        BatchRequest: {
            /** @description HTML, or a Handlebars template if data is given */
            html?: string;
            /** @description template id or slug */
            template?: string;
            /** @description requires template. Default: its newest version */
            template_version?: number;
            /**
             * @description requires template: the version that has this label, instead of template_version
             * @example published
             */
            template_label?: string;
            options?: components["schemas"]["GenerateOptions"];
            metadata?: components["schemas"]["Metadata"];
            /**
             * @description the name under which clients save the PDF. `{{customer.number}}` is replaced with this value of the data, `{{index}}` with the place of the item
             * @example Invoice {{number}}
             */
            file_name?: string;
            /**
             * @description a POST is sent to it when the batch has ended
             * @example https://example.com/hooks/platen
             */
            webhook_url?: string;
            items: components["schemas"]["BatchItem"][];
        };
        /** @enum {string} */
        BatchEndedType: "batch.completed" | "batch.cancelled";
        /** @enum {string} */
        EndedBatchStatus: "completed" | "cancelled";
        EndedBatch: {
            id: string;
            status: components["schemas"]["EndedBatchStatus"];
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            api_key_id: string;
            metadata: components["schemas"]["Metadata"];
            /** @description the number of items */
            total: number;
            completed: number;
            failed: number;
            cancelled: number;
            /** @description with an API key: the batch */
            batch_url: string;
        };
        /**
         * @example {
         *       "type": "batch.completed",
         *       "timestamp": "2026-01-31T12:00:41.000Z",
         *       "data": {
         *         "id": "bat_01k9x2v7w3d5e8f0g2h4j6k8m0",
         *         "status": "completed",
         *         "created_at": "2026-01-31T12:00:00.000Z",
         *         "api_key_id": "key_5x0w8z7v3d2e8f0g2h4j6k8m0a",
         *         "metadata": {
         *           "run": "january"
         *         },
         *         "total": 2000,
         *         "completed": 1999,
         *         "failed": 1,
         *         "cancelled": 0,
         *         "batch_url": "http://localhost:3000/v1/batches/bat_01k9x2v7w3d5e8f0g2h4j6k8m0"
         *       }
         *     }
         */
        BatchEndedWebhook: {
            type: components["schemas"]["BatchEndedType"];
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            timestamp: string;
            data: components["schemas"]["EndedBatch"];
        };
        /** @description A page of batches. */
        BatchPage: {
            data: components["schemas"]["Batch"][];
            /** @description Present if there are more items: send it as `cursor` to get the next page. */
            next_cursor?: string;
        };
        BatchItemResult: {
            /** @description its place in the batch: 1 for the first */
            index: number;
            /** @example pdf_01k9x2v7w3d5e8f0g2h4j6k8m0 */
            generation_id: string;
            status: components["schemas"]["GenerationStatus"];
            file_name?: string;
            metadata?: components["schemas"]["Metadata"];
            /** @description signed URL of the PDF, valid for a limited time */
            url?: string;
            pages?: number;
            /** @description bytes */
            size?: number;
            error?: components["schemas"]["Failure"];
        };
        /** @description A page of items. */
        BatchItemPage: {
            data: components["schemas"]["BatchItemResult"][];
            /** @description Present if there are more items: send it as `cursor` to get the next page. */
            next_cursor?: string;
        };
        /**
         * @description unsaved sources of partials, by name; they replace the stored ones
         * @example {
         *       "letterhead": "<header>Lindqvist & Marlowe</header>"
         *     }
         */
        UnsavedPartials: {
            [key: string]: string;
        };
        /** @description override those of the template field by field */
        PreviewOptions: {
            format?: components["schemas"]["PaperFormat"];
            /**
             * @description swaps the sides of the format
             * @default false
             */
            landscape?: boolean;
            /**
             * @description of the sheet, with a unit; default: that of the format
             * @example 210mm
             * @example 8.5in
             * @example 600px
             */
            width?: string;
            /**
             * @description of the sheet, with a unit; default: that of the format
             * @example 210mm
             * @example 8.5in
             * @example 600px
             */
            height?: string;
            /**
             * @description the document's `@page { size }` chooses the paper
             * @default true
             */
            prefer_css_page_size?: boolean;
            /**
             * @description one page, as tall as the document
             * @default false
             */
            single_page?: boolean;
            media?: components["schemas"]["MediaOption"];
            media_features?: components["schemas"]["MediaFeatures"];
            margin?: components["schemas"]["Margin"];
            /**
             * @description prints background colours and pictures
             * @default true
             */
            print_background?: boolean;
            /**
             * @description the size of the content on the sheet
             * @default 1
             */
            scale?: number;
            /**
             * @description default: all pages. Ascending
             * @example 1-3, 5, 8-
             */
            page_ranges?: string;
            javascript?: components["schemas"]["JavascriptOption"];
            wait_for?: components["schemas"]["WaitFor"];
            /**
             * @description runs animations and timers of up to 5 s to their end, in virtual time, before the print
             * @default true
             */
            finish_animations?: boolean;
            /** @description how long the document may take to load and print; at most the limit of the deployment, which is the default */
            timeout_ms?: number;
            /**
             * @description http or https: the relative URLs of the document are resolved with it
             * @example https://example.com/invoices/
             */
            base_url?: string;
            /**
             * @description bookmarks from the headings h1 to h6; this also tags the PDF
             * @default false
             */
            outline?: boolean;
            /**
             * @description include the document structure, for assistive technology
             * @default false
             */
            tagged?: boolean;
            /**
             * @description inputs, text areas and selects of the document become form fields of the PDF, which can be filled in
             * @default false
             */
            form_fields?: boolean;
            document_info?: components["schemas"]["DocumentInfo"];
            /**
             * @description default: en-US. A language tag, or {{path}}: the data have it there. The default of every helper, of the digits of contents lists, and of scripts
             * @example de-DE
             */
            locale?: string;
            /**
             * @description default: UTC. A name of the IANA database, or {{path}}: the data have it there. For helpers and scripts
             * @example Europe/Berlin
             */
            timezone?: string;
            /** @description default: none. A warning with one of these codes makes the generation fail with RENDER_FAILED */
            fail_on?: components["schemas"]["WarningCode"][];
            /**
             * @description a value that the template prints and the data does not have is a TEMPLATE_RENDER_ERROR
             * @default false
             */
            strict?: boolean;
            output?: components["schemas"]["OutputOptions"];
        };
        /**
         * @description default: pdf
         * @enum {string}
         */
        PreviewFormat: "pdf" | "png";
        PreviewRequest: {
            /** @description template id or slug */
            template?: string;
            /** @description requires template. Default: its newest version */
            template_version?: number;
            /**
             * @description requires template: the version that has this label, instead of template_version
             * @example published
             */
            template_label?: string;
            /** @description unsaved Handlebars source; replaces that of the template */
            html?: string;
            /** @description Handlebars source of the header of each page, at most 64 KiB; `options.header_html` of a request overrides it */
            header_html?: string;
            /** @description Handlebars source of the footer of each page, at most 64 KiB; `options.footer_html` of a request overrides it */
            footer_html?: string;
            partials?: components["schemas"]["UnsavedPartials"];
            translations?: components["schemas"]["Translations"];
            /**
             * @description JavaScript that exports the helpers of the template, at most 64 KiB; an operator allows it with OWN_HELPERS=on
             * @example export const gross = (net, rate) => net * (1 + rate / 100)
             */
            helpers?: string;
            options?: components["schemas"]["PreviewOptions"];
            data?: {
                [key: string]: unknown;
            };
            /** @description a set of `samples` of the template, instead of data */
            sample?: string;
            format?: components["schemas"]["PreviewFormat"];
            /** @description of a png. Default: 1 */
            page?: number;
            /** @description pixels of a png. Default: 1,000 */
            width?: number;
            /** @description id of the viewer, such as an editor: a newer preview of the same client and API key cancels older ones */
            client?: string;
        };
        /** @description The deliveries of a generation or of a batch. */
        DeliveryList: {
            data: components["schemas"]["Delivery"][];
        };
        /** @description A page of deliveries. */
        DeliveryPage: {
            data: components["schemas"]["Delivery"][];
            /** @description Present if there are more items: send it as `cursor` to get the next page. */
            next_cursor?: string;
        };
        RedeliverRequest: {
            /**
             * @description Deliveries that were scheduled at this time or later. An RFC 3339 time, or a date (UTC).
             * @example 2026-01-31
             * @example 2026-01-31T08:00:00Z
             */
            since: string;
            /**
             * @description Deliveries that were scheduled earlier than this time. Default: now.
             * @example 2026-01-31
             * @example 2026-01-31T08:00:00Z
             */
            until?: string;
            /** @description Default: `exhausted`. */
            status?: components["schemas"]["DeliveryStatus"];
        };
        RedeliverResult: {
            /** @description The number of deliveries that are due now. */
            redelivered: number;
            /** @description Present if there are more deliveries in the range: send it as `since`. */
            next_since?: string;
        };
        WebhookSecret: {
            /** @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw */
            secret: string;
        };
        /**
         * @description Which webhook. Default: `generation.completed`. One of `generation.completed`, `generation.failed`, `generation.cancelled`; later versions may add others.
         * @enum {string}
         */
        WebhookType: "generation.completed" | "generation.failed" | "generation.cancelled";
        WebhookTestRequest: {
            /** @description As the `webhook_url` of a generation. */
            webhook_url: string;
            type?: components["schemas"]["WebhookType"];
        };
        /** @description What the receiver answered, or why there was no answer. */
        WebhookTestResult: {
            /**
             * @description the `webhook-id` of the request
             * @example msg_01k9x2v7w3d5e8f0g2h4j6k8m0
             */
            id: string;
            /** @description HTTP status of the answer */
            status?: number;
            /** @description why there was no answer */
            error?: string;
            duration_ms: number;
            /** @description the first KiB of the body of the answer */
            response?: string;
        };
        EventCategory: {
            /** @example generation */
            category: string;
            /**
             * @description an example of the name of a stream
             * @example generation-pdf_01k9x2v7w3d5e8f0g2h4j6k8m0
             */
            stream: string;
            /** @description its events */
            types: string[];
        };
        EventCategoryList: {
            data: components["schemas"]["EventCategory"][];
        };
        /** @description A page of events. */
        EventPage: {
            data: components["schemas"]["RecordedEvent"][];
            /** @description Present if there are more items: send it as `cursor` to get the next page. */
            next_cursor?: string;
        };
        /** @description A page of events. */
        StreamEventPage: {
            data: components["schemas"]["RecordedEvent"][];
            /** @description Present if there are more items: send it as `cursor` to get the next page. */
            next_cursor?: string;
        };
        /** @description A page of dead letters. */
        DeadLetterPage: {
            data: components["schemas"]["DeadLetter"][];
            /** @description Present if there are more items: send it as `cursor` to get the next page. */
            next_cursor?: string;
        };
        /** @description an empty one selects all */
        DeadLetterFilter: {
            /** @description a part of the reason */
            reason?: string;
            /** @description the beginning of the subject */
            subject?: string;
            owner_id?: string;
            /** @description given up at this time or later */
            created_after?: string;
            /** @description given up earlier than this time */
            created_before?: string;
        };
        ChooseDeadLetters: {
            ids?: string[];
            filter?: components["schemas"]["DeadLetterFilter"];
            /**
             * @description `next_after` of an earlier answer: only later ones
             * @example 42
             */
            after?: string;
            /** @description only says what would be done. Default: false */
            dry_run?: boolean;
        };
        RetriedDeadLetter: {
            id: string;
            /** @description a document is rendered as this new generation */
            generation_id?: string;
        };
        KeptDeadLetter: {
            id: string;
            reason: string;
        };
        DeadLettersResult: {
            dry_run: boolean;
            /** @description how many were selected */
            count: number;
            /** @description the first hundred of those, oldest first */
            ids: string[];
            /** @description those that were sent again, or removed */
            done: components["schemas"]["RetriedDeadLetter"][];
            /** @description those with which nothing was done, and why */
            kept: components["schemas"]["KeptDeadLetter"][];
            /** @description present if there may be more: send it as `after`, with the same filter */
            next_after?: string;
        };
        IssueApiKeyRequest: {
            name: string;
            scopes: components["schemas"]["Scope"][];
        };
        /** @description The API key with its secret. */
        ApiKeyWithSecret: {
            /** @example key_5x0w8z7v3d2e8f0g2h4j6k8m0a */
            id: string;
            /** @example own_01k9x2v7w3d5e8f0g2h4j6k8m0 */
            owner_id: string;
            name: string;
            /**
             * @description The first characters of the secret.
             * @example pk_9fKx
             */
            prefix: string;
            scopes: components["schemas"]["Scope"][];
            status: components["schemas"]["ApiKeyStatus"];
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Exact to the hour. Absent if the key was never used.
             */
            last_used_at?: string;
            /**
             * Format: date-time
             * @description Until then the secret before the last rotation is accepted.
             */
            previous_valid_until?: string;
            /**
             * @description The secret of the key. It cannot be read again.
             * @example pk_…
             */
            key: string;
        };
        /** @description A page of API keys. */
        ApiKeyPage: {
            data: components["schemas"]["ApiKey"][];
            /** @description Present if there are more items: send it as `cursor` to get the next page. */
            next_cursor?: string;
        };
        CreateOwnerRequest: {
            name: string;
        };
        /** @description A page of owners. */
        OwnerPage: {
            data: components["schemas"]["Owner"][];
            /** @description Present if there are more items: send it as `cursor` to get the next page. */
            next_cursor?: string;
        };
        UpdateOwnerRequest: {
            name?: string;
            status?: components["schemas"]["OwnerStatus"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: {
        "generation.completed": {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            get?: never;
            put?: never;
            /**
             * A generation is completed
             * @description Sent as a POST to `webhook_url` (Standard Webhooks 1.0.0). Retried for three days until the receiver answers 2xx.
             */
            post: operations["onGenerationCompleted"];
            delete?: never;
            options?: never;
            head?: never;
            patch?: never;
            trace?: never;
        };
        "generation.failed": {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            get?: never;
            put?: never;
            /**
             * A generation has failed
             * @description Sent as a POST to `webhook_url` (Standard Webhooks 1.0.0). Retried for three days until the receiver answers 2xx.
             */
            post: operations["onGenerationFailed"];
            delete?: never;
            options?: never;
            head?: never;
            patch?: never;
            trace?: never;
        };
        "generation.cancelled": {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            get?: never;
            put?: never;
            /**
             * A generation was cancelled
             * @description Sent as a POST to `webhook_url` (Standard Webhooks 1.0.0). Retried for three days until the receiver answers 2xx.
             */
            post: operations["onGenerationCancelled"];
            delete?: never;
            options?: never;
            head?: never;
            patch?: never;
            trace?: never;
        };
        "batch.ended": {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            get?: never;
            put?: never;
            /**
             * Every item of a batch has ended
             * @description Sent as a POST to `webhook_url` (Standard Webhooks 1.0.0). Retried for three days until the receiver answers 2xx.
             */
            post: operations["onBatchEnded"];
            delete?: never;
            options?: never;
            head?: never;
            patch?: never;
            trace?: never;
        };
    };
}
export type $defs = Record<string, never>;
export interface operations {
    livez: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Alive. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Liveness"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    readyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ready. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description Not ready. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metrics. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getFile: {
        parameters: {
            query?: {
                /** @description Until when the URL is valid, in seconds since the epoch. */
                expires?: string;
                /** @description Of the URL. Take it from the `url` of a generation. */
                signature?: string;
                /** @description `1` makes browsers save the file instead of showing it. */
                download?: string;
            };
            header?: {
                /**
                 * @description One range of bytes.
                 * @example bytes=0-99
                 */
                range?: string;
                /** @description The range counts only if the file has this `ETag` or date. */
                "if-range"?: string;
                /** @description 412 unless the file has one of these entity tags. */
                "if-match"?: string;
                /** @description 304 if the file has one of these entity tags. */
                "if-none-match"?: string;
                /** @description 304 if the file is not newer. */
                "if-modified-since"?: string;
                /** @description 412 if the file is newer. */
                "if-unmodified-since"?: string;
            };
            path: {
                /**
                 * @description `<generation id>.pdf`, or with the ending of its type
                 * @example pdf_01k9x2v7w3d5e8f0g2h4j6k8m0.pdf
                 */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file: a PDF, unless `media_type` of the generation says otherwise. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                    "image/png": string;
                    "image/jpeg": string;
                    "image/webp": string;
                    "application/zip": string;
                };
            };
            /** @description A range of it. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                    "image/png": string;
                    "image/jpeg": string;
                    "image/webp": string;
                    "application/zip": string;
                };
            };
            /** @description The file is at `Location`, in the object store. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not modified. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who sends the request, and what the API key may do. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who sends the request, and what the API key may do. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listTemplates: {
        parameters: {
            query?: {
                /** @description Items per page. Default 50. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
                /** @description Lists the templates that have this text in their name or slug, in upper or lower case. */
                q?: string;
                /** @description The order of the list: `created` and `updated` newest first, `name` from A to Z. Default `created`. A template that changes between two pages may be on both. */
                sort?: components["schemas"]["TemplateSort"];
                /** @description Lists the deleted templates instead, without content: `deleted_at` says since when. They can be restored by their id. Default false. */
                deleted?: boolean;
                /** @description Leaves out the fields that may be large: `html`, `sample_data`, `header_html`, `footer_html`, `data_schema`, `samples`, `translations`, `helpers`. Default false. */
                summary?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of templates. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplatePage"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    createTemplate: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, kept for 24 hours. A repeated request with the same key and body gets the same response, with a newly signed `url`, marked with `idempotency-replayed: true`.
                 * @example order-4711
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTemplateRequest"];
            };
        };
        responses: {
            /** @description A stored Handlebars template. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    putTemplate: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: {
                /**
                 * @description 412 unless the template exists and has one of these entity tags.
                 * @example "3"
                 */
                "if-match"?: string;
                /**
                 * @description `*`: 412 if the template exists.
                 * @example *
                 */
                "if-none-match"?: string;
            };
            path: {
                /**
                 * @description lower-case letters and digits, in words that are joined by hyphens, at most 64
                 * @example monthly-invoice
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutTemplateRequest"];
            };
        };
        responses: {
            /** @description A stored Handlebars template. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            /** @description A stored Handlebars template. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getTemplate: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of a copy.
                 * @example "3"
                 */
                "if-none-match"?: string;
            };
            path: {
                /**
                 * @description Id (`tpl_…`) or slug.
                 * @example monthly-invoice
                 */
                idOrSlug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stored Handlebars template. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    deleteTemplate: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: {
                /**
                 * @description 412 unless the template has one of these entity tags.
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Id (`tpl_…`) or slug.
                 * @example monthly-invoice
                 */
                idOrSlug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    updateTemplate: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: {
                /**
                 * @description 412 unless the template has one of these entity tags.
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Id (`tpl_…`) or slug.
                 * @example monthly-invoice
                 */
                idOrSlug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateTemplateRequest"];
                "application/merge-patch+json": components["schemas"]["MergeTemplateRequest"];
            };
        };
        responses: {
            /** @description A stored Handlebars template. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listTemplateVersions: {
        parameters: {
            query?: {
                /** @description Items per page. Default 50. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id (`tpl_…`) or slug.
                 * @example monthly-invoice
                 */
                idOrSlug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateVersionPage"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getTemplateVersion: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id (`tpl_…`) or slug.
                 * @example monthly-invoice
                 */
                idOrSlug: string;
                /**
                 * @description A version.
                 * @example 1
                 */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stored Handlebars template. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    restoreTemplate: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: {
                /**
                 * @description 412 unless the template has one of these entity tags.
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Id (`tpl_…`) or slug.
                 * @example monthly-invoice
                 */
                idOrSlug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RestoreTemplateRequest"];
            };
        };
        responses: {
            /** @description A stored Handlebars template. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    setTemplateLabel: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id (`tpl_…`) or slug.
                 * @example monthly-invoice
                 */
                idOrSlug: string;
                /**
                 * @description a name of a version, such as `published` or `draft`
                 * @example published
                 */
                label: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LabelRequest"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateLabelsResponse"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    removeTemplateLabel: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id (`tpl_…`) or slug.
                 * @example monthly-invoice
                 */
                idOrSlug: string;
                /**
                 * @description a name of a version, such as `published` or `draft`
                 * @example published
                 */
                label: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listHelpers: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All helpers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HelperList"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    compareTemplateVersions: {
        parameters: {
            query?: {
                /**
                 * @description A version, or a label that is not a number. Default: the version before `to` that is no deletion.
                 * @example 1
                 */
                from?: string;
                /**
                 * @description A version, or a label that is not a number. Default: the newest version.
                 * @example 1
                 */
                to?: string;
                /** @description compares the pages, too */
                pages?: boolean;
                /** @description of pages: a set of `samples` of the newer version. Default: its `sample_data` */
                sample?: string;
                /** @description of pages: with a PNG of both sides of each page that is not the same */
                images?: boolean;
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id (`tpl_…`) or slug.
                 * @example monthly-invoice
                 */
                idOrSlug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateComparison"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    compareTemplatePages: {
        parameters: {
            query?: {
                /**
                 * @description A version, or a label that is not a number. Default: the version before `to` that is no deletion.
                 * @example 1
                 */
                from?: string;
                /**
                 * @description A version, or a label that is not a number. Default: the newest version.
                 * @example 1
                 */
                to?: string;
                /** @description of pages: with a PNG of both sides of each page that is not the same */
                images?: boolean;
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id (`tpl_…`) or slug.
                 * @example monthly-invoice
                 */
                idOrSlug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ComparePagesRequest"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateComparison"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    compareGenerations: {
        parameters: {
            query: {
                /** @description the generation to compare it with */
                to: string;
                /** @description with a PNG of both sides of each page that is not the same */
                images?: boolean;
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id (`pdf_…`).
                 * @example pdf_01k9x2v7w3d5e8f0g2h4j6k8m0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenerationComparison"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getAsset: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: {
                /** @description The `ETag` of a copy. */
                "if-none-match"?: string;
            };
            path: {
                /**
                 * @description Letters, digits, `.`, `_`, `-`, `@` and `+`, at most 200, in folders that are separated by `/`. In a URL the slashes are written as they are, or as `%2F`.
                 * @example logo.svg
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A picture, font or style sheet that documents use. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Asset"];
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    putAsset: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: {
                /** @description 412 unless the asset has one of these entity tags. */
                "if-match"?: string;
                /** @description `*`: 412 if the name is in use. */
                "if-none-match"?: string;
            };
            path: {
                /**
                 * @description Letters, digits, `.`, `_`, `-`, `@` and `+`, at most 200, in folders that are separated by `/`. In a URL the slashes are written as they are, or as `%2F`.
                 * @example logo.svg
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description A picture, font or style sheet that documents use. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Asset"];
                };
            };
            /** @description A picture, font or style sheet that documents use. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Asset"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    deleteAsset: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
                /** @description Also if the asset is in use. Default false. */
                force?: boolean;
            };
            header?: {
                /** @description 412 unless the asset has one of these entity tags. */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Letters, digits, `.`, `_`, `-`, `@` and `+`, at most 200, in folders that are separated by `/`. In a URL the slashes are written as they are, or as `%2F`.
                 * @example logo.svg
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listAssets: {
        parameters: {
            query?: {
                /** @description Items per page. Default 50. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of assets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssetPage"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getAssetContent: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
                /** @description An earlier content, also of a deleted asset. Default: the current. */
                version?: number;
            };
            header?: {
                /** @description The `ETag` of a copy. */
                "if-none-match"?: string;
            };
            path: {
                /**
                 * @description Letters, digits, `.`, `_`, `-`, `@` and `+`, at most 200, in folders that are separated by `/`. In a URL the slashes are written as they are, or as `%2F`.
                 * @example logo.svg
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/jpeg": string;
                    "image/gif": string;
                    "image/webp": string;
                    "image/avif": string;
                    "image/svg+xml": string;
                    "font/woff2": string;
                    "font/woff": string;
                    "font/ttf": string;
                    "font/otf": string;
                    "font/collection": string;
                    "text/css": string;
                    "text/javascript": string;
                    "application/pdf": string;
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listAssetVersions: {
        parameters: {
            query?: {
                /** @description Items per page. Default 50. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Letters, digits, `.`, `_`, `-`, `@` and `+`, at most 200, in folders that are separated by `/`. In a URL the slashes are written as they are, or as `%2F`.
                 * @example logo.svg
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssetVersionPage"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getAssetUsage: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Letters, digits, `.`, `_`, `-`, `@` and `+`, at most 200, in folders that are separated by `/`. In a URL the slashes are written as they are, or as `%2F`.
                 * @example logo.svg
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssetUsage"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listPartialVersions: {
        parameters: {
            query?: {
                /** @description Items per page. Default 50. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id (`prt_…`) or name.
                 * @example letterhead
                 */
                idOrName: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PartialVersionPage"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getPartialVersion: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id (`prt_…`) or name.
                 * @example letterhead
                 */
                idOrName: string;
                /** @example 1 */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stored fragment that templates call by its name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Partial"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getPartialUsage: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id (`prt_…`) or name.
                 * @example letterhead
                 */
                idOrName: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PartialUsage"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listPartials: {
        parameters: {
            query?: {
                /** @description Items per page. Default 50. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
                /** @description Leaves out `html`. Default false. */
                summary?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of partials. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PartialPage"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    createPartial: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, kept for 24 hours. A repeated request with the same key and body gets the same response, with a newly signed `url`, marked with `idempotency-replayed: true`.
                 * @example order-4711
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePartialRequest"];
            };
        };
        responses: {
            /** @description A stored fragment that templates call by its name. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Partial"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getPartial: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: {
                /** @description The `ETag` of a copy. */
                "if-none-match"?: string;
            };
            path: {
                /**
                 * @description Id (`prt_…`) or name.
                 * @example letterhead
                 */
                idOrName: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stored fragment that templates call by its name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Partial"];
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    deletePartial: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: {
                /**
                 * @description 412 unless the partial has one of these entity tags.
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Id (`prt_…`) or name.
                 * @example letterhead
                 */
                idOrName: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedPartial"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    updatePartial: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: {
                /**
                 * @description 412 unless the partial has one of these entity tags.
                 * @example "3"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Id (`prt_…`) or name.
                 * @example letterhead
                 */
                idOrName: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdatePartialRequest"];
            };
        };
        responses: {
            /** @description A stored fragment that templates call by its name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Partial"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    generate: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, kept for 24 hours. A repeated request with the same key and body gets the same response, with a newly signed `url`, marked with `idempotency-replayed: true`.
                 * @example order-4711
                 */
                "idempotency-key"?: string;
                /**
                 * @description `respond-async`: answer with 202, or with `wait=<seconds>` only after that time (RFC 7240).
                 * @example respond-async, wait=10
                 */
                prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GenerateRequest"];
            };
        };
        responses: {
            /** @description The state of one generated PDF. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description The state of one generated PDF. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listGenerations: {
        parameters: {
            query?: {
                /** @description Items per page. Default 50. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Only items created at this time or later. An RFC 3339 time, or a date, which begins at 00:00 UTC. */
                created_after?: string;
                /** @description Only items created earlier than this time. */
                created_before?: string;
                /** @description Id of the owner (`own_…`) whose items are listed, or `*` for those of all owners, each with its `owner_id`. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
                /** @description `queued`, `rendering`, `completed`, `failed`, `cancelled`, or several of them with commas between. */
                status?: string;
                /** @description Template id or slug; with `owner=*` its id. */
                template?: string;
                /** @description A version of `template`. */
                template_version?: number;
                /** @description Id of the API key (`key_…`) that has requested them. */
                api_key_id?: string;
                /**
                 * @description Those that have failed with this code.
                 * @example RENDER_TIMEOUT
                 */
                error_code?: string;
                /** @description Whether they have warnings. */
                warnings?: boolean;
                /**
                 * @description A part of the `file_name` of the request, in any case; or the beginning of an id, from `pdf_` on.
                 * @example invoice 2026
                 */
                q?: string;
                /**
                 * @description Only generations with this metadata.
                 * @example {
                 *       "order": "2026-0042"
                 *     }
                 */
                metadata?: {
                    [key: string]: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of generations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenerationPage"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getGeneration: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
                /** @description The longest wait in seconds. */
                wait?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id (`pdf_…`).
                 * @example pdf_01k9x2v7w3d5e8f0g2h4j6k8m0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of one generated PDF. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    cancelGeneration: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id (`pdf_…`).
                 * @example pdf_01k9x2v7w3d5e8f0g2h4j6k8m0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of one generated PDF. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getGenerationTimeline: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id (`pdf_…`).
                 * @example pdf_01k9x2v7w3d5e8f0g2h4j6k8m0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The way of a generation from its request to its webhook. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenerationTimeline"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    retryGeneration: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, kept for 24 hours. A repeated request with the same key and body gets the same response, with a newly signed `url`, marked with `idempotency-replayed: true`.
                 * @example order-4711
                 */
                "idempotency-key"?: string;
            };
            path: {
                /**
                 * @description Id (`pdf_…`).
                 * @example pdf_01k9x2v7w3d5e8f0g2h4j6k8m0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RetryRequest"];
            };
        };
        responses: {
            /** @description The state of one generated PDF. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    eraseGenerationContent: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id (`pdf_…`).
                 * @example pdf_01k9x2v7w3d5e8f0g2h4j6k8m0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    mergePdfs: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, kept for 24 hours. A repeated request with the same key and body gets the same response, with a newly signed `url`, marked with `idempotency-replayed: true`.
                 * @example order-4711
                 */
                "idempotency-key"?: string;
                /**
                 * @description `respond-async`: answer with 202, or with `wait=<seconds>` only after that time (RFC 7240).
                 * @example respond-async, wait=10
                 */
                prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MergeRequest"];
            };
        };
        responses: {
            /** @description The state of one generated PDF. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description The state of one generated PDF. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    splitPdf: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, kept for 24 hours. A repeated request with the same key and body gets the same response, with a newly signed `url`, marked with `idempotency-replayed: true`.
                 * @example order-4711
                 */
                "idempotency-key"?: string;
                /**
                 * @description `respond-async`: answer with 202, or with `wait=<seconds>` only after that time (RFC 7240).
                 * @example respond-async, wait=10
                 */
                prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SplitRequest"];
            };
        };
        responses: {
            /** @description The state of one generated PDF. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description The state of one generated PDF. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    stampPdf: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, kept for 24 hours. A repeated request with the same key and body gets the same response, with a newly signed `url`, marked with `idempotency-replayed: true`.
                 * @example order-4711
                 */
                "idempotency-key"?: string;
                /**
                 * @description `respond-async`: answer with 202, or with `wait=<seconds>` only after that time (RFC 7240).
                 * @example respond-async, wait=10
                 */
                prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StampRequest"];
            };
        };
        responses: {
            /** @description The state of one generated PDF. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description The state of one generated PDF. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    protectPdf: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, kept for 24 hours. A repeated request with the same key and body gets the same response, with a newly signed `url`, marked with `idempotency-replayed: true`.
                 * @example order-4711
                 */
                "idempotency-key"?: string;
                /**
                 * @description `respond-async`: answer with 202, or with `wait=<seconds>` only after that time (RFC 7240).
                 * @example respond-async, wait=10
                 */
                prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProtectRequest"];
            };
        };
        responses: {
            /** @description The state of one generated PDF. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description The state of one generated PDF. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    unlockPdf: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, kept for 24 hours. A repeated request with the same key and body gets the same response, with a newly signed `url`, marked with `idempotency-replayed: true`.
                 * @example order-4711
                 */
                "idempotency-key"?: string;
                /**
                 * @description `respond-async`: answer with 202, or with `wait=<seconds>` only after that time (RFC 7240).
                 * @example respond-async, wait=10
                 */
                prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UnlockRequest"];
            };
        };
        responses: {
            /** @description The state of one generated PDF. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description The state of one generated PDF. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    attachToPdf: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, kept for 24 hours. A repeated request with the same key and body gets the same response, with a newly signed `url`, marked with `idempotency-replayed: true`.
                 * @example order-4711
                 */
                "idempotency-key"?: string;
                /**
                 * @description `respond-async`: answer with 202, or with `wait=<seconds>` only after that time (RFC 7240).
                 * @example respond-async, wait=10
                 */
                prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AttachRequest"];
            };
        };
        responses: {
            /** @description The state of one generated PDF. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description The state of one generated PDF. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    setPdfMetadata: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, kept for 24 hours. A repeated request with the same key and body gets the same response, with a newly signed `url`, marked with `idempotency-replayed: true`.
                 * @example order-4711
                 */
                "idempotency-key"?: string;
                /**
                 * @description `respond-async`: answer with 202, or with `wait=<seconds>` only after that time (RFC 7240).
                 * @example respond-async, wait=10
                 */
                prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MetadataRequest"];
            };
        };
        responses: {
            /** @description The state of one generated PDF. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description The state of one generated PDF. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    flattenPdf: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, kept for 24 hours. A repeated request with the same key and body gets the same response, with a newly signed `url`, marked with `idempotency-replayed: true`.
                 * @example order-4711
                 */
                "idempotency-key"?: string;
                /**
                 * @description `respond-async`: answer with 202, or with `wait=<seconds>` only after that time (RFC 7240).
                 * @example respond-async, wait=10
                 */
                prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FlattenRequest"];
            };
        };
        responses: {
            /** @description The state of one generated PDF. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description The state of one generated PDF. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    rotatePdf: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, kept for 24 hours. A repeated request with the same key and body gets the same response, with a newly signed `url`, marked with `idempotency-replayed: true`.
                 * @example order-4711
                 */
                "idempotency-key"?: string;
                /**
                 * @description `respond-async`: answer with 202, or with `wait=<seconds>` only after that time (RFC 7240).
                 * @example respond-async, wait=10
                 */
                prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateRequest"];
            };
        };
        responses: {
            /** @description The state of one generated PDF. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description The state of one generated PDF. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    optimizePdf: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, kept for 24 hours. A repeated request with the same key and body gets the same response, with a newly signed `url`, marked with `idempotency-replayed: true`.
                 * @example order-4711
                 */
                "idempotency-key"?: string;
                /**
                 * @description `respond-async`: answer with 202, or with `wait=<seconds>` only after that time (RFC 7240).
                 * @example respond-async, wait=10
                 */
                prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OptimizeRequest"];
            };
        };
        responses: {
            /** @description The state of one generated PDF. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description The state of one generated PDF. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    drawPdfPages: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, kept for 24 hours. A repeated request with the same key and body gets the same response, with a newly signed `url`, marked with `idempotency-replayed: true`.
                 * @example order-4711
                 */
                "idempotency-key"?: string;
                /**
                 * @description `respond-async`: answer with 202, or with `wait=<seconds>` only after that time (RFC 7240).
                 * @example respond-async, wait=10
                 */
                prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImagesRequest"];
            };
        };
        responses: {
            /** @description The state of one generated PDF. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description The state of one generated PDF. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    convertPdf: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, kept for 24 hours. A repeated request with the same key and body gets the same response, with a newly signed `url`, marked with `idempotency-replayed: true`.
                 * @example order-4711
                 */
                "idempotency-key"?: string;
                /**
                 * @description `respond-async`: answer with 202, or with `wait=<seconds>` only after that time (RFC 7240).
                 * @example respond-async, wait=10
                 */
                prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConvertRequest"];
            };
        };
        responses: {
            /** @description The state of one generated PDF. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description The state of one generated PDF. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    signPdf: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, kept for 24 hours. A repeated request with the same key and body gets the same response, with a newly signed `url`, marked with `idempotency-replayed: true`.
                 * @example order-4711
                 */
                "idempotency-key"?: string;
                /**
                 * @description `respond-async`: answer with 202, or with `wait=<seconds>` only after that time (RFC 7240).
                 * @example respond-async, wait=10
                 */
                prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignRequest"];
            };
        };
        responses: {
            /** @description The state of one generated PDF. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description The state of one generated PDF. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    fillPdfForm: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, kept for 24 hours. A repeated request with the same key and body gets the same response, with a newly signed `url`, marked with `idempotency-replayed: true`.
                 * @example order-4711
                 */
                "idempotency-key"?: string;
                /**
                 * @description `respond-async`: answer with 202, or with `wait=<seconds>` only after that time (RFC 7240).
                 * @example respond-async, wait=10
                 */
                prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FillRequest"];
            };
        };
        responses: {
            /** @description The state of one generated PDF. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description The state of one generated PDF. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listBatches: {
        parameters: {
            query?: {
                /** @description Items per page. Default 50. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of batches. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchPage"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    createBatch: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
                /** @description template id or slug */
                template?: string;
                /** @description requires template. Default: its newest version */
                template_version?: number;
                /**
                 * @description requires template: the version that has this label, instead of template_version
                 * @example published
                 */
                template_label?: string;
                /**
                 * @description the name under which clients save the PDF. `{{customer.number}}` is replaced with this value of the data, `{{index}}` with the place of the item
                 * @example Invoice {{number}}
                 */
                file_name?: string;
                /**
                 * @description a POST is sent to it when the batch has ended
                 * @example https://example.com/hooks/platen
                 */
                webhook_url?: string;
            };
            header?: {
                /**
                 * @description 1 to 255 printable ASCII characters, kept for 24 hours. A repeated request with the same key and body gets the same response, with a newly signed `url`, marked with `idempotency-replayed: true`.
                 * @example order-4711
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchRequest"];
                "application/x-ndjson": string;
            };
        };
        responses: {
            /** @description Many documents that were requested at once. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getBatch: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id (`bat_…`).
                 * @example bat_01k9x2v7w3d5e8f0g2h4j6k8m0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Many documents that were requested at once. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listBatchItems: {
        parameters: {
            query?: {
                /** @description Items per page. Default 50. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id (`bat_…`).
                 * @example bat_01k9x2v7w3d5e8f0g2h4j6k8m0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of items. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchItemPage"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    cancelBatch: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id (`bat_…`).
                 * @example bat_01k9x2v7w3d5e8f0g2h4j6k8m0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Many documents that were requested at once. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    followBatch: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id (`bat_…`).
                 * @example bat_01k9x2v7w3d5e8f0g2h4j6k8m0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getBatchZip: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id (`bat_…`).
                 * @example bat_01k9x2v7w3d5e8f0g2h4j6k8m0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ZIP. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getBatchPdf: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id (`bat_…`).
                 * @example bat_01k9x2v7w3d5e8f0g2h4j6k8m0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The PDF. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    preview: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewRequest"];
            };
        };
        responses: {
            /** @description The file. `x-preview-pages` has the number of pages, `x-preview-warnings` the warnings as JSON. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                    "image/png": string;
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the generation (`pdf_…`).
                 * @example pdf_01k9x2v7w3d5e8f0g2h4j6k8m0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deliveries of a generation or of a batch. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    redeliverGeneration: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the generation (`pdf_…`).
                 * @example pdf_01k9x2v7w3d5e8f0g2h4j6k8m0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deliveries of a generation or of a batch. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listBatchDeliveries: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the batch (`bat_…`).
                 * @example bat_01k9x2v7w3d5e8f0g2h4j6k8m0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deliveries of a generation or of a batch. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    findDeliveries: {
        parameters: {
            query?: {
                /** @description Items per page. Default 50. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Only items created at this time or later. An RFC 3339 time, or a date, which begins at 00:00 UTC. */
                created_after?: string;
                /** @description Only items created earlier than this time. */
                created_before?: string;
                /** @description Id of the owner (`own_…`) whose items are listed, or `*` for those of all owners, each with its `owner_id`. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
                /**
                 * @description `pending`, `succeeded`, `exhausted`, or several of them with commas between.
                 * @example exhausted
                 */
                status?: string;
                /**
                 * @description The host of the webhook URL, such as `hooks.example.com` or `localhost:9000`, or the whole URL.
                 * @example hooks.example.com
                 */
                endpoint?: string;
                /** @description The generation that they report (`pdf_…`). */
                generation_id?: string;
                /** @description The batch that they report (`bat_…`). */
                batch_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getDelivery: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the delivery (`msg_…`).
                 * @example msg_01k9x2v7w3d5e8f0g2h4j6k8m0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook of a generation, with its attempts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    redeliverDelivery: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the delivery (`msg_…`).
                 * @example msg_01k9x2v7w3d5e8f0g2h4j6k8m0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook of a generation, with its attempts. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    redeliverRange: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RedeliverRequest"];
            };
        };
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RedeliverResult"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getGenerationFile: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
                /** @description `1` makes browsers save the file instead of showing it. */
                download?: string;
            };
            header?: {
                /**
                 * @description One range of bytes.
                 * @example bytes=0-99
                 */
                range?: string;
                /** @description The range counts only if the file has this `ETag` or date. */
                "if-range"?: string;
                /** @description 412 unless the file has one of these entity tags. */
                "if-match"?: string;
                /** @description 304 if the file has one of these entity tags. */
                "if-none-match"?: string;
                /** @description 304 if the file is not newer. */
                "if-modified-since"?: string;
                /** @description 412 if the file is newer. */
                "if-unmodified-since"?: string;
            };
            path: {
                /**
                 * @description Id (`pdf_…`).
                 * @example pdf_01k9x2v7w3d5e8f0g2h4j6k8m0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file: a PDF, unless `media_type` of the generation says otherwise. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                    "image/png": string;
                    "image/jpeg": string;
                    "image/webp": string;
                    "application/zip": string;
                };
            };
            /** @description A range of it. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                    "image/png": string;
                    "image/jpeg": string;
                    "image/webp": string;
                    "application/zip": string;
                };
            };
            /** @description The file is at `Location`, in the object store. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not modified. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getWebhookSecret: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookTestRequest"];
            };
        };
        responses: {
            /** @description What the receiver answered, or why there was no answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTestResult"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listEventCategories: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventCategoryList"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Items per page. Default 50. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Only events of this kind of streams. */
                category?: string;
                /** @description Only events of this type. */
                type?: string;
                /** @description Only what this request has caused: the `x-request-id` of its response. */
                request_id?: string;
                /** @description Only events recorded at this time or later. */
                created_after?: string;
                /** @description Only events recorded earlier than this time. */
                created_before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listStreamEvents: {
        parameters: {
            query?: {
                /** @description Items per page. Default 50. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Name of the stream.
                 * @example generation-pdf_01k9x2v7w3d5e8f0g2h4j6k8m0
                 */
                stream: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StreamEventPage"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of the stream.
                 * @example generation-pdf_01k9x2v7w3d5e8f0g2h4j6k8m0
                 */
                stream: string;
                /**
                 * @description Its place in the stream, from 0.
                 * @example 0
                 */
                revision: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An event of the log. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordedEvent"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    followEvents: {
        parameters: {
            query?: {
                /** @description Only events of this kind of streams. */
                category?: string;
                /** @description Only events of this type. */
                type?: string;
                /** @description Only what this request has caused: the `x-request-id` of its response. */
                request_id?: string;
                /** @description The position of an event. */
                cursor?: string;
            };
            header?: {
                "last-event-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listDeadLetters: {
        parameters: {
            query?: {
                /** @description Items per page. Default 50. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
                /** @description Only items created at this time or later. An RFC 3339 time, or a date, which begins at 00:00 UTC. */
                created_after?: string;
                /** @description Only items created earlier than this time. */
                created_before?: string;
                /** @description A part of the reason. */
                reason?: string;
                /** @description The beginning of the subject, such as `commands.render.`. */
                subject?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of dead letters. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLetterPage"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getDeadLetter: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the dead letter.
                 * @example 42
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A message that could not be handled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLetter"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    retryDeadLetters: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChooseDeadLetters"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLettersResult"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    dropDeadLetters: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChooseDeadLetters"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLettersResult"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getStatus: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How a deployment stands, or the generations of an owner. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    followStatus: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Items per page. Default 50. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of API keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    issueApiKey: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IssueApiKeyRequest"];
            };
        };
        responses: {
            /** @description The API key with its secret. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyWithSecret"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getApiKey: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id (`key_…`).
                 * @example key_01k9x2v7w3d5e8f0g2h4j6k8m0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An API key without its secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id (`key_…`).
                 * @example key_01k9x2v7w3d5e8f0g2h4j6k8m0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked, but not shown yet. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Revoked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    rotateApiKey: {
        parameters: {
            query?: {
                /** @description Id of the owner (`own_…`) to act for. Default: that of the API key. Needs the scope `admin`. */
                owner?: string;
                /** @description Seconds for which the replaced secret is accepted. Default 0: it is refused at once. */
                grace_s?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id (`key_…`).
                 * @example key_01k9x2v7w3d5e8f0g2h4j6k8m0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The API key with its secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyWithSecret"];
                };
            };
            /** @description The API key with its secret. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyWithSecret"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    listOwners: {
        parameters: {
            query?: {
                /** @description Items per page. Default 50. */
                limit?: number;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of owners. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnerPage"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    createOwner: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOwnerRequest"];
            };
        };
        responses: {
            /** @description An owner of API keys, templates and generations. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Owner"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getOwner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id (`own_…`).
                 * @example own_01k9x2v7w3d5e8f0g2h4j6k8m0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An owner of API keys, templates and generations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Owner"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    updateOwner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id (`own_…`).
                 * @example own_01k9x2v7w3d5e8f0g2h4j6k8m0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateOwnerRequest"];
            };
        };
        responses: {
            /** @description An owner of API keys, templates and generations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Owner"];
                };
            };
            /** @description An owner of API keys, templates and generations. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Owner"];
                };
            };
            /** @description An error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    onGenerationCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the delivery: the same on every attempt. */
                "webhook-id": string;
                /** @description Time of this attempt, in seconds since the epoch. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`. Several, separated by spaces, while a secret rotates. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GenerationCompletedWebhook"];
            };
        };
        responses: {
            /** @description The delivery succeeded and is not repeated. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onGenerationFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the delivery: the same on every attempt. */
                "webhook-id": string;
                /** @description Time of this attempt, in seconds since the epoch. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`. Several, separated by spaces, while a secret rotates. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GenerationFailedWebhook"];
            };
        };
        responses: {
            /** @description The delivery succeeded and is not repeated. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onGenerationCancelled: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the delivery: the same on every attempt. */
                "webhook-id": string;
                /** @description Time of this attempt, in seconds since the epoch. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`. Several, separated by spaces, while a secret rotates. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GenerationCancelledWebhook"];
            };
        };
        responses: {
            /** @description The delivery succeeded and is not repeated. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBatchEnded: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the delivery: the same on every attempt. */
                "webhook-id": string;
                /** @description Time of this attempt, in seconds since the epoch. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`. Several, separated by spaces, while a secret rotates. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchEndedWebhook"];
            };
        };
        responses: {
            /** @description The delivery succeeded and is not repeated. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
