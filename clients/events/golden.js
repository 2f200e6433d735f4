// Made by `node scripts/write-event-docs.ts` from the definitions of the events.

/** A message of each event, with the data of its golden file. */
export const golden = {
  "TemplateCreated": {
    "specversion": "1.0",
    "id": "5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2",
    "source": "dep_01k9x2v7w3d5e8f0g2h4j6k8m0/template",
    "type": "com.platen.TemplateCreated",
    "subject": "tpl_01k9x2v7w3d5e8f0g2h4j6k8m0",
    "time": "2026-01-31T12:00:00.000Z",
    "datacontenttype": "application/json",
    "dataschema": "https://pdf.example.com/schemas/TemplateCreated.1.json",
    "data": {
      "owner_id": "own_default",
      "name": "Monthly invoice",
      "slug": "monthly-invoice",
      "html_sha256": "380c78a1dc4b1bb2dbf481fb9e247288205857b785f77b447de5ebfe701b6c34"
    },
    "revision": 2,
    "correlationid": "req_01k9x2v7vz3f4g5h6j7k8m9n0p",
    "causationid": "0b2f6a5e-7c1d-8e3f-a4b5-c6d7e8f90123"
  },
  "TemplateUpdated": {
    "specversion": "1.0",
    "id": "5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2",
    "source": "dep_01k9x2v7w3d5e8f0g2h4j6k8m0/template",
    "type": "com.platen.TemplateUpdated",
    "subject": "tpl_01k9x2v7w3d5e8f0g2h4j6k8m0",
    "time": "2026-01-31T12:00:00.000Z",
    "datacontenttype": "application/json",
    "dataschema": "https://pdf.example.com/schemas/TemplateUpdated.1.json",
    "data": {
      "changed": [
        "html",
        "options",
        "samples"
      ],
      "html_sha256": "70da65f08a3cbe8a36a5ee4e40368c3edf1fd75bddee4fe602ab11e58c2a2cf9"
    },
    "revision": 2,
    "correlationid": "req_01k9x2v7vz3f4g5h6j7k8m9n0p",
    "causationid": "0b2f6a5e-7c1d-8e3f-a4b5-c6d7e8f90123"
  },
  "TemplateDeleted": {
    "specversion": "1.0",
    "id": "5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2",
    "source": "dep_01k9x2v7w3d5e8f0g2h4j6k8m0/template",
    "type": "com.platen.TemplateDeleted",
    "subject": "tpl_01k9x2v7w3d5e8f0g2h4j6k8m0",
    "time": "2026-01-31T12:00:00.000Z",
    "datacontenttype": "application/json",
    "dataschema": "https://pdf.example.com/schemas/TemplateDeleted.1.json",
    "data": {},
    "revision": 2,
    "correlationid": "req_01k9x2v7vz3f4g5h6j7k8m9n0p",
    "causationid": "0b2f6a5e-7c1d-8e3f-a4b5-c6d7e8f90123"
  },
  "TemplateRestored": {
    "specversion": "1.0",
    "id": "5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2",
    "source": "dep_01k9x2v7w3d5e8f0g2h4j6k8m0/template",
    "type": "com.platen.TemplateRestored",
    "subject": "tpl_01k9x2v7w3d5e8f0g2h4j6k8m0",
    "time": "2026-01-31T12:00:00.000Z",
    "datacontenttype": "application/json",
    "dataschema": "https://pdf.example.com/schemas/TemplateRestored.1.json",
    "data": {
      "owner_id": "own_default",
      "name": "Monthly invoice",
      "slug": "monthly-invoice",
      "html_sha256": "380c78a1dc4b1bb2dbf481fb9e247288205857b785f77b447de5ebfe701b6c34",
      "restored_from": 3
    },
    "revision": 2,
    "correlationid": "req_01k9x2v7vz3f4g5h6j7k8m9n0p",
    "causationid": "0b2f6a5e-7c1d-8e3f-a4b5-c6d7e8f90123"
  },
  "TemplateLabelSet": {
    "specversion": "1.0",
    "id": "5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2",
    "source": "dep_01k9x2v7w3d5e8f0g2h4j6k8m0/template",
    "type": "com.platen.TemplateLabelSet",
    "subject": "tpl_01k9x2v7w3d5e8f0g2h4j6k8m0",
    "time": "2026-01-31T12:00:00.000Z",
    "datacontenttype": "application/json",
    "dataschema": "https://pdf.example.com/schemas/TemplateLabelSet.1.json",
    "data": {
      "label": "published",
      "version": 3
    },
    "revision": 2,
    "correlationid": "req_01k9x2v7vz3f4g5h6j7k8m9n0p",
    "causationid": "0b2f6a5e-7c1d-8e3f-a4b5-c6d7e8f90123"
  },
  "TemplateLabelRemoved": {
    "specversion": "1.0",
    "id": "5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2",
    "source": "dep_01k9x2v7w3d5e8f0g2h4j6k8m0/template",
    "type": "com.platen.TemplateLabelRemoved",
    "subject": "tpl_01k9x2v7w3d5e8f0g2h4j6k8m0",
    "time": "2026-01-31T12:00:00.000Z",
    "datacontenttype": "application/json",
    "dataschema": "https://pdf.example.com/schemas/TemplateLabelRemoved.1.json",
    "data": {
      "label": "draft"
    },
    "revision": 2,
    "correlationid": "req_01k9x2v7vz3f4g5h6j7k8m9n0p",
    "causationid": "0b2f6a5e-7c1d-8e3f-a4b5-c6d7e8f90123"
  },
  "PartialCreated": {
    "specversion": "1.0",
    "id": "5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2",
    "source": "dep_01k9x2v7w3d5e8f0g2h4j6k8m0/template",
    "type": "com.platen.PartialCreated",
    "subject": "prt_01k9x2v7w3d5e8f0g2h4j6k8m0",
    "time": "2026-01-31T12:00:00.000Z",
    "datacontenttype": "application/json",
    "dataschema": "https://pdf.example.com/schemas/PartialCreated.1.json",
    "data": {
      "owner_id": "own_default",
      "name": "letterhead",
      "html_sha256": "e3c40fd76e879ea4b45b479380e2b6f154e6ff46663e7b3541834e24e947399f"
    },
    "revision": 2,
    "correlationid": "req_01k9x2v7vz3f4g5h6j7k8m9n0p",
    "causationid": "0b2f6a5e-7c1d-8e3f-a4b5-c6d7e8f90123"
  },
  "PartialUpdated": {
    "specversion": "1.0",
    "id": "5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2",
    "source": "dep_01k9x2v7w3d5e8f0g2h4j6k8m0/template",
    "type": "com.platen.PartialUpdated",
    "subject": "prt_01k9x2v7w3d5e8f0g2h4j6k8m0",
    "time": "2026-01-31T12:00:00.000Z",
    "datacontenttype": "application/json",
    "dataschema": "https://pdf.example.com/schemas/PartialUpdated.1.json",
    "data": {
      "html_sha256": "9df35819bf30d0df27b13b4152050481b44e94711568b6c66203bf07687a4141"
    },
    "revision": 2,
    "correlationid": "req_01k9x2v7vz3f4g5h6j7k8m9n0p",
    "causationid": "0b2f6a5e-7c1d-8e3f-a4b5-c6d7e8f90123"
  },
  "PartialDeleted": {
    "specversion": "1.0",
    "id": "5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2",
    "source": "dep_01k9x2v7w3d5e8f0g2h4j6k8m0/template",
    "type": "com.platen.PartialDeleted",
    "subject": "prt_01k9x2v7w3d5e8f0g2h4j6k8m0",
    "time": "2026-01-31T12:00:00.000Z",
    "datacontenttype": "application/json",
    "dataschema": "https://pdf.example.com/schemas/PartialDeleted.1.json",
    "data": {},
    "revision": 2,
    "correlationid": "req_01k9x2v7vz3f4g5h6j7k8m9n0p",
    "causationid": "0b2f6a5e-7c1d-8e3f-a4b5-c6d7e8f90123"
  },
  "AssetStored": {
    "specversion": "1.0",
    "id": "5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2",
    "source": "dep_01k9x2v7w3d5e8f0g2h4j6k8m0/template",
    "type": "com.platen.AssetStored",
    "subject": "own_default",
    "time": "2026-01-31T12:00:00.000Z",
    "datacontenttype": "application/json",
    "dataschema": "https://pdf.example.com/schemas/AssetStored.1.json",
    "data": {
      "owner_id": "own_default",
      "name": "logo.svg",
      "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      "type": "image/svg+xml",
      "bytes": 1204
    },
    "revision": 2,
    "correlationid": "req_01k9x2v7vz3f4g5h6j7k8m9n0p",
    "causationid": "0b2f6a5e-7c1d-8e3f-a4b5-c6d7e8f90123"
  },
  "AssetDeleted": {
    "specversion": "1.0",
    "id": "5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2",
    "source": "dep_01k9x2v7w3d5e8f0g2h4j6k8m0/template",
    "type": "com.platen.AssetDeleted",
    "subject": "own_default",
    "time": "2026-01-31T12:00:00.000Z",
    "datacontenttype": "application/json",
    "dataschema": "https://pdf.example.com/schemas/AssetDeleted.1.json",
    "data": {
      "owner_id": "own_default",
      "name": "logo.svg"
    },
    "revision": 2,
    "correlationid": "req_01k9x2v7vz3f4g5h6j7k8m9n0p",
    "causationid": "0b2f6a5e-7c1d-8e3f-a4b5-c6d7e8f90123"
  },
  "GenerationRequested": {
    "specversion": "1.0",
    "id": "5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2",
    "source": "dep_01k9x2v7w3d5e8f0g2h4j6k8m0/renderer",
    "type": "com.platen.GenerationRequested",
    "subject": "pdf_01k9x2v7w3d5e8f0g2h4j6k8m0",
    "time": "2026-01-31T12:00:00.000Z",
    "datacontenttype": "application/json",
    "dataschema": "https://pdf.example.com/schemas/GenerationRequested.1.json",
    "data": {
      "owner_id": "own_default",
      "api_key_id": "key_5x0w8z7v3d2e8f0g2h4j6k8m0a",
      "template": {
        "id": "tpl_01k9x2v7w3d5e8f0g2h4j6k8m0",
        "version": 3,
        "slug": "monthly-invoice"
      },
      "metadata": {
        "order": "2026-0042"
      },
      "file_name": "Invoice 2026-0042.pdf",
      "created_at": "2025-11-12T22:26:41.667Z",
      "options": {
        "format": "A4",
        "landscape": false,
        "margin": {
          "top": 20,
          "bottom": 20,
          "left": 15,
          "right": 15
        },
        "print_background": true,
        "scale": 1,
        "javascript": "auto",
        "base_url": "https://app.example.com/letters/?…"
      }
    },
    "revision": 2,
    "correlationid": "req_01k9x2v7vz3f4g5h6j7k8m9n0p",
    "causationid": "0b2f6a5e-7c1d-8e3f-a4b5-c6d7e8f90123"
  },
  "GenerationStarted": {
    "specversion": "1.0",
    "id": "5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2",
    "source": "dep_01k9x2v7w3d5e8f0g2h4j6k8m0/renderer",
    "type": "com.platen.GenerationStarted",
    "subject": "pdf_01k9x2v7w3d5e8f0g2h4j6k8m0",
    "time": "2026-01-31T12:00:00.000Z",
    "datacontenttype": "application/json",
    "dataschema": "https://pdf.example.com/schemas/GenerationStarted.1.json",
    "data": {
      "renderer": "renderer@print-1:4711-9f3c2a71d05be846"
    },
    "revision": 2,
    "correlationid": "req_01k9x2v7vz3f4g5h6j7k8m9n0p",
    "causationid": "0b2f6a5e-7c1d-8e3f-a4b5-c6d7e8f90123"
  },
  "GenerationCompleted": {
    "specversion": "1.0",
    "id": "5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2",
    "source": "dep_01k9x2v7w3d5e8f0g2h4j6k8m0/renderer",
    "type": "com.platen.GenerationCompleted",
    "subject": "pdf_01k9x2v7w3d5e8f0g2h4j6k8m0",
    "time": "2026-01-31T12:00:00.000Z",
    "datacontenttype": "application/json",
    "dataschema": "https://pdf.example.com/schemas/GenerationCompleted.1.json",
    "data": {
      "owner_id": "own_default",
      "api_key_id": "key_5x0w8z7v3d2e8f0g2h4j6k8m0a",
      "template": {
        "id": "tpl_01k9x2v7w3d5e8f0g2h4j6k8m0",
        "version": 3,
        "slug": "monthly-invoice"
      },
      "metadata": {
        "order": "2026-0042"
      },
      "file_name": "Invoice 2026-0042.pdf",
      "created_at": "2025-11-12T22:26:41.667Z",
      "pages": 2,
      "size": 48213,
      "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      "object_key": "pdfs/pdf_01k9x2v7w3d5e8f0g2h4j6k8m0.5c1e0fd29a7b3846.pdf",
      "duration_ms": 118,
      "phases": {
        "queue_ms": 4,
        "template_ms": 3,
        "print_ms": 97,
        "store_ms": 18
      },
      "engine": {
        "name": "chromium",
        "version": "156.0.8078.79",
        "mode": "static"
      },
      "warnings": [
        {
          "code": "RESOURCE_FAILED",
          "message": "https://cdn.example.com/logo.png?…: not found (404)"
        }
      ]
    },
    "revision": 2,
    "correlationid": "req_01k9x2v7vz3f4g5h6j7k8m9n0p",
    "causationid": "0b2f6a5e-7c1d-8e3f-a4b5-c6d7e8f90123"
  },
  "GenerationFailed": {
    "specversion": "1.0",
    "id": "5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2",
    "source": "dep_01k9x2v7w3d5e8f0g2h4j6k8m0/renderer",
    "type": "com.platen.GenerationFailed",
    "subject": "pdf_01k9x2v7w3d5e8f0g2h4j6k8m0",
    "time": "2026-01-31T12:00:00.000Z",
    "datacontenttype": "application/json",
    "dataschema": "https://pdf.example.com/schemas/GenerationFailed.1.json",
    "data": {
      "owner_id": "own_default",
      "api_key_id": "key_5x0w8z7v3d2e8f0g2h4j6k8m0a",
      "template": {
        "id": "tpl_01k9x2v7w3d5e8f0g2h4j6k8m0",
        "version": 3,
        "slug": "monthly-invoice"
      },
      "metadata": {
        "order": "2026-0042"
      },
      "file_name": "Invoice 2026-0042.pdf",
      "created_at": "2025-11-12T22:26:41.667Z",
      "code": "TEMPLATE_RENDER_ERROR",
      "message": "html, line 3, column 5: the template cannot be filled with this data"
    },
    "revision": 2,
    "correlationid": "req_01k9x2v7vz3f4g5h6j7k8m9n0p",
    "causationid": "0b2f6a5e-7c1d-8e3f-a4b5-c6d7e8f90123"
  },
  "GenerationCancelled": {
    "specversion": "1.0",
    "id": "5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2",
    "source": "dep_01k9x2v7w3d5e8f0g2h4j6k8m0/renderer",
    "type": "com.platen.GenerationCancelled",
    "subject": "pdf_01k9x2v7w3d5e8f0g2h4j6k8m0",
    "time": "2026-01-31T12:00:00.000Z",
    "datacontenttype": "application/json",
    "dataschema": "https://pdf.example.com/schemas/GenerationCancelled.1.json",
    "data": {
      "owner_id": "own_default",
      "api_key_id": "key_5x0w8z7v3d2e8f0g2h4j6k8m0a",
      "template": {
        "id": "tpl_01k9x2v7w3d5e8f0g2h4j6k8m0",
        "version": 3,
        "slug": "monthly-invoice"
      },
      "metadata": {
        "order": "2026-0042"
      },
      "file_name": "Invoice 2026-0042.pdf",
      "created_at": "2025-11-12T22:26:41.667Z"
    },
    "revision": 2,
    "correlationid": "req_01k9x2v7vz3f4g5h6j7k8m9n0p",
    "causationid": "0b2f6a5e-7c1d-8e3f-a4b5-c6d7e8f90123"
  },
  "ContentErased": {
    "specversion": "1.0",
    "id": "5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2",
    "source": "dep_01k9x2v7w3d5e8f0g2h4j6k8m0/renderer",
    "type": "com.platen.ContentErased",
    "subject": "pdf_01k9x2v7w3d5e8f0g2h4j6k8m0",
    "time": "2026-01-31T12:00:00.000Z",
    "datacontenttype": "application/json",
    "dataschema": "https://pdf.example.com/schemas/ContentErased.1.json",
    "data": {
      "owner_id": "own_default",
      "api_key_id": "key_5x0w8z7v3d2e8f0g2h4j6k8m0a",
      "template": {
        "id": "tpl_01k9x2v7w3d5e8f0g2h4j6k8m0",
        "version": 3,
        "slug": "monthly-invoice"
      },
      "metadata": {
        "order": "2026-0042"
      },
      "file_name": "Invoice 2026-0042.pdf",
      "created_at": "2025-11-12T22:26:41.667Z",
      "erased_at": "2026-03-01T09:00:00.000Z",
      "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      "input_sha256": "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752"
    },
    "revision": 2,
    "correlationid": "req_01k9x2v7vz3f4g5h6j7k8m9n0p",
    "causationid": "0b2f6a5e-7c1d-8e3f-a4b5-c6d7e8f90123"
  },
  "DeliveryScheduled": {
    "specversion": "1.0",
    "id": "5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2",
    "source": "dep_01k9x2v7w3d5e8f0g2h4j6k8m0/notifier",
    "type": "com.platen.DeliveryScheduled",
    "subject": "msg_01k9x2v7w3d5e8f0g2h4j6k8m0",
    "time": "2026-01-31T12:00:00.000Z",
    "datacontenttype": "application/json",
    "dataschema": "https://pdf.example.com/schemas/DeliveryScheduled.1.json",
    "data": {
      "generation_id": "pdf_01k9x2v7w3d5e8f0g2h4j6k8m0",
      "owner_id": "own_default",
      "api_key_id": "key_5x0w8z7v3d2e8f0g2h4j6k8m0a",
      "event_id": "5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2",
      "next_at": "2026-01-31T12:00:01.000Z"
    },
    "revision": 2,
    "correlationid": "req_01k9x2v7vz3f4g5h6j7k8m9n0p",
    "causationid": "0b2f6a5e-7c1d-8e3f-a4b5-c6d7e8f90123"
  },
  "DeliveryAttempted": {
    "specversion": "1.0",
    "id": "5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2",
    "source": "dep_01k9x2v7w3d5e8f0g2h4j6k8m0/notifier",
    "type": "com.platen.DeliveryAttempted",
    "subject": "msg_01k9x2v7w3d5e8f0g2h4j6k8m0",
    "time": "2026-01-31T12:00:00.000Z",
    "datacontenttype": "application/json",
    "dataschema": "https://pdf.example.com/schemas/DeliveryAttempted.1.json",
    "data": {
      "attempt": 1,
      "status": 503,
      "duration_ms": 24,
      "next_at": "2026-01-31T12:00:06.000Z"
    },
    "revision": 2,
    "correlationid": "req_01k9x2v7vz3f4g5h6j7k8m9n0p",
    "causationid": "0b2f6a5e-7c1d-8e3f-a4b5-c6d7e8f90123"
  },
  "DeliverySucceeded": {
    "specversion": "1.0",
    "id": "5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2",
    "source": "dep_01k9x2v7w3d5e8f0g2h4j6k8m0/notifier",
    "type": "com.platen.DeliverySucceeded",
    "subject": "msg_01k9x2v7w3d5e8f0g2h4j6k8m0",
    "time": "2026-01-31T12:00:00.000Z",
    "datacontenttype": "application/json",
    "dataschema": "https://pdf.example.com/schemas/DeliverySucceeded.1.json",
    "data": {
      "attempt": 2,
      "status": 204,
      "duration_ms": 31
    },
    "revision": 2,
    "correlationid": "req_01k9x2v7vz3f4g5h6j7k8m9n0p",
    "causationid": "0b2f6a5e-7c1d-8e3f-a4b5-c6d7e8f90123"
  },
  "DeliveryExhausted": {
    "specversion": "1.0",
    "id": "5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2",
    "source": "dep_01k9x2v7w3d5e8f0g2h4j6k8m0/notifier",
    "type": "com.platen.DeliveryExhausted",
    "subject": "msg_01k9x2v7w3d5e8f0g2h4j6k8m0",
    "time": "2026-01-31T12:00:00.000Z",
    "datacontenttype": "application/json",
    "dataschema": "https://pdf.example.com/schemas/DeliveryExhausted.1.json",
    "data": {
      "attempts": 10,
      "reason": "the last attempt failed"
    },
    "revision": 2,
    "correlationid": "req_01k9x2v7vz3f4g5h6j7k8m9n0p",
    "causationid": "0b2f6a5e-7c1d-8e3f-a4b5-c6d7e8f90123"
  },
  "DeliveryRescheduled": {
    "specversion": "1.0",
    "id": "5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2",
    "source": "dep_01k9x2v7w3d5e8f0g2h4j6k8m0/notifier",
    "type": "com.platen.DeliveryRescheduled",
    "subject": "msg_01k9x2v7w3d5e8f0g2h4j6k8m0",
    "time": "2026-01-31T12:00:00.000Z",
    "datacontenttype": "application/json",
    "dataschema": "https://pdf.example.com/schemas/DeliveryRescheduled.1.json",
    "data": {
      "attempt": 11,
      "next_at": "2026-02-03T09:00:00.000Z"
    },
    "revision": 2,
    "correlationid": "req_01k9x2v7vz3f4g5h6j7k8m9n0p",
    "causationid": "0b2f6a5e-7c1d-8e3f-a4b5-c6d7e8f90123"
  },
  "EndpointDisabled": {
    "specversion": "1.0",
    "id": "5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2",
    "source": "dep_01k9x2v7w3d5e8f0g2h4j6k8m0/notifier",
    "type": "com.platen.EndpointDisabled",
    "subject": "end_5x0w8z7v3d2e8f0g2h4j6k8m0a",
    "time": "2026-01-31T12:00:00.000Z",
    "datacontenttype": "application/json",
    "dataschema": "https://pdf.example.com/schemas/EndpointDisabled.1.json",
    "data": {
      "owner_id": "own_default",
      "reason": "failing",
      "delivery_id": "msg_01k9x2v7w3d5e8f0g2h4j6k8m0",
      "failing_since": "2026-01-26T12:00:00.000Z"
    },
    "revision": 2,
    "correlationid": "req_01k9x2v7vz3f4g5h6j7k8m9n0p",
    "causationid": "0b2f6a5e-7c1d-8e3f-a4b5-c6d7e8f90123"
  },
  "EndpointEnabled": {
    "specversion": "1.0",
    "id": "5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2",
    "source": "dep_01k9x2v7w3d5e8f0g2h4j6k8m0/notifier",
    "type": "com.platen.EndpointEnabled",
    "subject": "end_5x0w8z7v3d2e8f0g2h4j6k8m0a",
    "time": "2026-01-31T12:00:00.000Z",
    "datacontenttype": "application/json",
    "dataschema": "https://pdf.example.com/schemas/EndpointEnabled.1.json",
    "data": {
      "delivery_id": "msg_01k9x2v7w3d5e8f0g2h4j6k8m0"
    },
    "revision": 2,
    "correlationid": "req_01k9x2v7vz3f4g5h6j7k8m9n0p",
    "causationid": "0b2f6a5e-7c1d-8e3f-a4b5-c6d7e8f90123"
  },
  "BatchCreated": {
    "specversion": "1.0",
    "id": "5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2",
    "source": "dep_01k9x2v7w3d5e8f0g2h4j6k8m0/notifier",
    "type": "com.platen.BatchCreated",
    "subject": "bat_01k9x2v7w3d5e8f0g2h4j6k8m0",
    "time": "2026-01-31T12:00:00.000Z",
    "datacontenttype": "application/json",
    "dataschema": "https://pdf.example.com/schemas/BatchCreated.1.json",
    "data": {
      "owner_id": "own_default",
      "api_key_id": "key_5x0w8z7v3d2e8f0g2h4j6k8m0a",
      "total": 2000,
      "metadata": {
        "run": "january"
      },
      "created_at": "2025-11-12T22:26:41.667Z"
    },
    "revision": 2,
    "correlationid": "req_01k9x2v7vz3f4g5h6j7k8m9n0p",
    "causationid": "0b2f6a5e-7c1d-8e3f-a4b5-c6d7e8f90123"
  },
  "BatchEnded": {
    "specversion": "1.0",
    "id": "5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2",
    "source": "dep_01k9x2v7w3d5e8f0g2h4j6k8m0/notifier",
    "type": "com.platen.BatchEnded",
    "subject": "bat_01k9x2v7w3d5e8f0g2h4j6k8m0",
    "time": "2026-01-31T12:00:00.000Z",
    "datacontenttype": "application/json",
    "dataschema": "https://pdf.example.com/schemas/BatchEnded.1.json",
    "data": {
      "owner_id": "own_default",
      "api_key_id": "key_5x0w8z7v3d2e8f0g2h4j6k8m0a",
      "total": 2000,
      "metadata": {
        "run": "january"
      },
      "created_at": "2025-11-12T22:26:41.667Z",
      "status": "completed",
      "completed": 1998,
      "failed": 2,
      "cancelled": 0
    },
    "revision": 2,
    "correlationid": "req_01k9x2v7vz3f4g5h6j7k8m9n0p",
    "causationid": "0b2f6a5e-7c1d-8e3f-a4b5-c6d7e8f90123"
  },
  "OwnerDisabled": {
    "specversion": "1.0",
    "id": "5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2",
    "source": "dep_01k9x2v7w3d5e8f0g2h4j6k8m0/template",
    "type": "com.platen.OwnerDisabled",
    "subject": "own_01k9x2v7w3d5e8f0g2h4j6k8m0",
    "time": "2026-01-31T12:00:00.000Z",
    "datacontenttype": "application/json",
    "dataschema": "https://pdf.example.com/schemas/OwnerDisabled.1.json",
    "data": {},
    "revision": 2,
    "correlationid": "req_01k9x2v7vz3f4g5h6j7k8m9n0p",
    "causationid": "0b2f6a5e-7c1d-8e3f-a4b5-c6d7e8f90123"
  },
  "OwnerEnabled": {
    "specversion": "1.0",
    "id": "5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2",
    "source": "dep_01k9x2v7w3d5e8f0g2h4j6k8m0/template",
    "type": "com.platen.OwnerEnabled",
    "subject": "own_01k9x2v7w3d5e8f0g2h4j6k8m0",
    "time": "2026-01-31T12:00:00.000Z",
    "datacontenttype": "application/json",
    "dataschema": "https://pdf.example.com/schemas/OwnerEnabled.1.json",
    "data": {},
    "revision": 2,
    "correlationid": "req_01k9x2v7vz3f4g5h6j7k8m9n0p",
    "causationid": "0b2f6a5e-7c1d-8e3f-a4b5-c6d7e8f90123"
  }
}
