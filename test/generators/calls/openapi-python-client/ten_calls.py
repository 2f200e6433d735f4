import os
import sys
from io import BytesIO
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, "client")
from platen_client import AuthenticatedClient
from platen_client.api.assets import put_asset
from platen_client.api.files import get_generation_file
from platen_client.api.generations import generate, get_generation, preview
from platen_client.api.templates import create_template, delete_template, get_template, list_templates, update_template
from platen_client.models import (
    Asset,
    CreateTemplateRequest,
    ErrorEnvelope,
    GenerateRequest,
    Generation,
    GenerationStatus,
    PreviewFormat,
    PreviewRequest,
    Template,
    TemplatePage,
    UpdateTemplateRequest,
)
from platen_client.types import UNSET, File, Unset

Answer = TypeVar("Answer")
client = AuthenticatedClient(os.environ["PLATEN_URL"], token=os.environ["API_KEY"])
slug = os.environ["SLUG"]


def expect(kind: type[Answer], answer: object) -> Answer:
    assert isinstance(answer, kind), answer
    return answer


def content(answer: object, begin: bytes) -> None:
    assert expect(File, answer).payload.read().startswith(begin)


def create(name: str) -> Template:
    body = CreateTemplateRequest(name=name, html="<h1>Hello {{name}}</h1>")
    return expect(Template, create_template.sync(client=client, body=body))


template = create(slug)
other = create(f"{slug}-2")
assert template.version == 1 and template.slug == slug
print("ok create")

change = UpdateTemplateRequest(name="changed")
changed = expect(Template, update_template.sync(slug, client=client, body=change, if_match='"1"'))
assert changed.version == 2 and changed.name == "changed"
stale = update_template.sync(slug, client=client, body=UpdateTemplateRequest(name="stale"), if_match='"1"')
assert expect(ErrorEnvelope, stale).error.code == "PRECONDITION_FAILED"
print("ok change")

for name, path, type_ in (("picture", "PNG", "image/png"), ("font", "FONT", "font/ttf")):
    file = Path(os.environ[path])
    body = File(payload=BytesIO(file.read_bytes()))
    asset = expect(Asset, put_asset.sync(f"{slug}-{name}", client=client, body=body))
    assert asset.type_ == type_ and asset.bytes_ == file.stat().st_size
print("ok upload")

generation = expect(Generation, generate.sync(client=client, body=GenerateRequest(html="<p>one")))
content(get_generation_file.sync(generation.id, client=client), b"%PDF-")
print("ok generate-bytes")
assert generation.status == GenerationStatus.COMPLETED and generation.pages == 1 and generation.warnings == []
print("ok generate-json")

queued = expect(Generation, generate.sync(client=client, body=GenerateRequest(template=slug, async_=True)))
while queued.status in (GenerationStatus.QUEUED, GenerationStatus.RENDERING):
    queued = expect(Generation, get_generation.sync(queued.id, client=client, wait=10))
assert queued.status == GenerationStatus.COMPLETED
print("ok async")

seen: list[str] = []
cursor: str | Unset = UNSET
while True:
    page = expect(TemplatePage, list_templates.sync(client=client, limit=1, cursor=cursor))
    seen += [each.slug for each in page.data]
    cursor = page.next_cursor
    if not cursor:
        break
assert {slug, other.slug} <= set(seen)
print("ok list")

missing = expect(ErrorEnvelope, get_template.sync("no-such-template", client=client))
assert missing.error.code == "TEMPLATE_NOT_FOUND" and missing.request_id
print("ok error")

for format_, begin in ((PreviewFormat.PDF, b"%PDF-"), (PreviewFormat.PNG, b"\x89PNG")):
    content(preview.sync(client=client, body=PreviewRequest(html="<p>one", format_=format_)), begin)
print("ok preview")

for each in (slug, other.slug):
    assert delete_template.sync_detailed(each, client=client).status_code == 204
gone = expect(ErrorEnvelope, get_template.sync(slug, client=client))
assert gone.error.code == "TEMPLATE_NOT_FOUND"
print("ok delete")
