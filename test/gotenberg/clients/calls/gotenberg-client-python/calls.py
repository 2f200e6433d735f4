import os
from pathlib import Path

from gotenberg_client import GotenbergClient
from gotenberg_client.options import Measurement, MeasurementUnitType, PageMarginsType, PageSize, PdfAFormat

url, key, page, hook = (os.environ[name] for name in ("GOTENBERG_URL", "API_KEY", "PAGE_URL", "HOOK_URL"))
millimetres = MeasurementUnitType.Millimeters
a5 = PageSize(width=Measurement(148, millimetres), height=Measurement(210, millimetres))

with GotenbergClient(url, auth=("platen", key)) as client:
    with client.chromium.html_to_pdf() as route:
        route.string_index('<link rel="stylesheet" href="style.css"><p>Hello</p>')
        route.string_resource('p::after { content: " styled" }', name="style.css", mime_type="text/css")
        route.string_header('<p style="font-size: 9px">Head</p>')
        route.size(a5).margins(PageMarginsType(top=Measurement(1, MeasurementUnitType.Inches)))
        route.run().to_file(Path("html.pdf"))
    with client.chromium.url_to_pdf() as route:
        route.url(page).run().to_file(Path("url.pdf"))
    with client.merge.merge() as route:
        route.merge([Path("html.pdf"), Path("url.pdf")]).run().to_file(Path("merge.pdf"))
    with client.chromium.html_to_pdf() as route:
        route.string_index("<title>Kept</title><p>Archived").pdf_format(PdfAFormat.A3b)
        route.run().to_file(Path("archive.pdf"))
    client.add_webhook_url(hook)
    client.add_error_webhook_url(f"{hook}/error")
    client.set_webhook_extra_headers({"x-order": "7"})
    with client.chromium.html_to_pdf() as route:
        route.string_index("<p>Later").output_filename("later").run()
