use futures_util::TryStreamExt;
use platen_client::types::{CreateTemplateRequest, ErrorEnvelope, GenerationStatus, UpdateTemplateRequest};
use platen_client::{ByteStream, Client, Error, ResponseValue};
use reqwest::header::{AUTHORIZATION, HeaderMap};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::{env::var, fmt::Debug, fs};

type Failure = Box<dyn std::error::Error>;

/// The bodies of requests have neither `Default` nor a builder.
fn body<T: DeserializeOwned>(fields: Value) -> Result<T, Failure> {
    Ok(serde_json::from_value(fields)?)
}

/// The code of an error that the server has answered.
fn code_of<T: Debug>(result: Result<ResponseValue<T>, Error<ErrorEnvelope>>) -> Result<String, Failure> {
    match result {
        Err(Error::ErrorResponse(response)) => Ok(response.into_inner().error.code.to_string()),
        other => Err(format!("{other:?}").into()),
    }
}

async fn bytes_of(response: ResponseValue<ByteStream>) -> Result<Vec<u8>, Failure> {
    let parts: Vec<_> = response.into_inner_stream().try_collect().await?;
    Ok(parts.concat())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let mut headers = HeaderMap::new();
    headers.insert(AUTHORIZATION, format!("Bearer {}", var("API_KEY")?).parse()?);
    let http = reqwest::Client::builder().default_headers(headers).build()?;
    let client = Client::new_with_client(&var("PLATEN_URL")?, http);
    let slug = var("SLUG")?;
    let names = [slug.clone(), format!("{slug}-2")];

    for name in &names {
        let new: CreateTemplateRequest = body(json!({ "name": name, "html": "<h1>Hello {{name}}</h1>" }))?;
        let template = client.create_template(None, None, &new).await?;
        assert_eq!((template.version.get(), &template.slug), (1, name));
    }
    println!("ok create");

    let if_match = "\"1\"".parse()?;
    let change: UpdateTemplateRequest = body(json!({ "name": "changed" }))?;
    let changed = client.update_template(&slug, None, Some(&if_match), &change).await?;
    assert_eq!(changed.version.get(), 2);
    let stale = client.update_template(&slug, None, Some(&if_match), &body(json!({ "name": "stale" }))?).await;
    assert_eq!(code_of(stale)?, "PRECONDITION_FAILED");
    println!("ok change");

    for (variable, kind, media_type) in [("PNG", "picture", "image/png"), ("FONT", "font", "font/ttf")] {
        let content = fs::read(var(variable)?)?;
        let size = content.len() as u64;
        let asset = client.put_asset(&format!("{slug}-{kind}").parse()?, None, None, None, content).await?;
        assert_eq!((asset.type_.as_str(), asset.bytes), (media_type, size));
    }
    println!("ok upload");

    let generation = client.generate(None, None, None, &body(json!({ "html": "<p>one" }))?).await?;
    let file = client.get_generation_file(&generation.id, None, None, None, None, None, None, None, None).await?;
    assert!(bytes_of(file).await?.starts_with(b"%PDF-"));
    println!("ok generate-bytes");
    assert_eq!((generation.status, generation.pages), (GenerationStatus::Completed, Some(1)));
    println!("ok generate-json");

    let later = body(json!({ "template": slug, "async": true }))?;
    let mut queued = client.generate(None, None, None, &later).await?.into_inner();
    while matches!(queued.status, GenerationStatus::Queued | GenerationStatus::Rendering) {
        queued = client.get_generation(&queued.id, None, Some(10)).await?.into_inner();
    }
    assert_eq!(queued.status, GenerationStatus::Completed);
    println!("ok async");

    let mut seen = Vec::new();
    let mut cursor = None;
    loop {
        let page = client.list_templates(cursor.as_ref(), None, Some(1.try_into()?), None, None, None, None).await?.into_inner();
        seen.extend(page.data.into_iter().map(|each| each.slug));
        match page.next_cursor {
            Some(next) => cursor = Some(next.parse()?),
            None => break,
        }
    }
    assert!(names.iter().all(|name| seen.contains(name)));
    println!("ok list");

    assert_eq!(code_of(client.get_template("no-such-template", None, None).await)?, "TEMPLATE_NOT_FOUND");
    println!("ok error");

    for (format, begin) in [("pdf", b"%PDF-".as_slice()), ("png", b"\x89PNG")] {
        let shown = client.preview(None, &body(json!({ "html": "<p>one", "format": format }))?).await?;
        assert!(bytes_of(shown).await?.starts_with(begin));
    }
    println!("ok preview");

    for name in &names {
        client.delete_template(name, None, None).await?;
    }
    assert_eq!(code_of(client.get_template(&slug, None, None).await)?, "TEMPLATE_NOT_FOUND");
    println!("ok delete");
    Ok(())
}
