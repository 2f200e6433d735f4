import os
import sys
from pathlib import Path
from typing import Callable

sys.path.insert(0, "client")
from openapi_client import (
    ApiClient,
    ApiException,
    AssetsApi,
    Configuration,
    CreateTemplateRequest,
    ErrorEnvelope,
    FilesApi,
    GenerateRequest,
    GenerationsApi,
    GenerationStatus,
    PreviewFormat,
    PreviewRequest,
    Template,
    TemplatesApi,
    UpdateTemplateRequest,
)

client = ApiClient(Configuration(host=os.environ["PLATEN_URL"], access_token=os.environ["API_KEY"]))
templates = TemplatesApi(client)
generations = GenerationsApi(client)
assets = AssetsApi(client)
files = FilesApi(client)
slug = os.environ["SLUG"]


def create(name: str) -> Template:
    return templates.create_template(CreateTemplateRequest(name=name, html="<h1>Hello {{name}}</h1>"))


def code_of(call: Callable[[], object]) -> str:
    try:
        call()
    except ApiException as err:
        assert isinstance(err.data, ErrorEnvelope), err.data
        return err.data.error.code
    raise AssertionError("the call succeeded")


template = create(slug)
other = create(f"{slug}-2")
assert template.version == 1 and template.slug == slug
print("ok create")

changed = templates.update_template(slug, UpdateTemplateRequest(name="changed"), if_match='"1"')
assert changed.version == 2 and changed.name == "changed"
stale = UpdateTemplateRequest(name="stale")
assert code_of(lambda: templates.update_template(slug, stale, if_match='"1"')) == "PRECONDITION_FAILED"
print("ok change")

for name, path, type_ in (("picture", "PNG", "image/png"), ("font", "FONT", "font/ttf")):
    content = Path(os.environ[path]).read_bytes()
    asset = assets.put_asset(f"{slug}-{name}", content)
    assert asset.type == type_ and asset.bytes == len(content)
print("ok upload")

generation = generations.generate(GenerateRequest(html="<p>one"))
assert bytes(files.get_generation_file(generation.id)).startswith(b"%PDF-")
print("ok generate-bytes")
assert generation.status == GenerationStatus.COMPLETED and generation.pages == 1 and generation.warnings == []
print("ok generate-json")

queued = generations.generate(GenerateRequest.model_validate({"template": slug, "async": True}))
while queued.status in (GenerationStatus.QUEUED, GenerationStatus.RENDERING):
    queued = generations.get_generation(queued.id, wait=10)
assert queued.status == GenerationStatus.COMPLETED
print("ok async")

seen: list[str] = []
cursor: str | None = None
while True:
    page = templates.list_templates(limit=1, cursor=cursor)
    seen += [each.slug for each in page.data]
    cursor = page.next_cursor
    if cursor is None:
        break
assert {slug, other.slug} <= set(seen)
print("ok list")

assert code_of(lambda: templates.get_template("no-such-template")) == "TEMPLATE_NOT_FOUND"
print("ok error")

for format_, begin in ((PreviewFormat.PDF, b"%PDF-"), (PreviewFormat.PNG, b"\x89PNG")):
    assert bytes(generations.preview(PreviewRequest(html="<p>one", format=format_))).startswith(begin)
print("ok preview")

for each in (slug, other.slug):
    templates.delete_template(each)
assert code_of(lambda: templates.get_template(slug)) == "TEMPLATE_NOT_FOUND"
print("ok delete")
