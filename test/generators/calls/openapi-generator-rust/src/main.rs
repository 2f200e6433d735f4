use openapi::apis::{assets_api, configuration::Configuration, files_api, generations_api, templates_api, Error};
use openapi::models::{
    CreateTemplateRequest, ErrorEnvelope, GenerateRequest, GenerationStatus, PreviewFormat, PreviewRequest, UpdateTemplateRequest,
};
use std::{env::var, fs, path::PathBuf};

type Failure = Box<dyn std::error::Error>;

/// The code of an error that the server has answered.
fn code_of<T: std::fmt::Debug, E: std::fmt::Debug>(result: Result<T, Error<E>>) -> Result<String, Failure> {
    match result {
        Err(Error::ResponseError(response)) => Ok(serde_json::from_str::<ErrorEnvelope>(&response.content)?.error.code),
        other => Err(format!("{other:?}").into()),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let configuration = &Configuration {
        base_path: var("PLATEN_URL")?,
        bearer_access_token: Some(var("API_KEY")?),
        ..Configuration::default()
    };
    let slug = var("SLUG")?;
    let names = [slug.clone(), format!("{slug}-2")];

    for name in &names {
        let body = CreateTemplateRequest::new(name.clone(), "<h1>Hello {{name}}</h1>".into());
        let template = templates_api::create_template(configuration, body, None, None).await?;
        assert_eq!((template.version, &template.slug), (1, name));
    }
    println!("ok create");

    let change_to = |name: &str| UpdateTemplateRequest { name: Some(name.into()), ..UpdateTemplateRequest::new() };
    let if_match = Some("\"1\"");
    let changed = templates_api::update_template(configuration, &slug, change_to("changed"), None, if_match).await?;
    assert_eq!(changed.version, 2);
    let stale = templates_api::update_template(configuration, &slug, change_to("stale"), None, if_match).await;
    assert_eq!(code_of(stale)?, "PRECONDITION_FAILED");
    println!("ok change");

    for (variable, kind, media_type) in [("PNG", "picture", "image/png"), ("FONT", "font", "font/ttf")] {
        let path = PathBuf::from(var(variable)?);
        let size = fs::metadata(&path)?.len();
        let asset = assets_api::put_asset(configuration, &format!("{slug}-{kind}"), path, None, None, None).await?;
        assert_eq!((asset.r#type.as_str(), asset.bytes as u64), (media_type, size));
    }
    println!("ok upload");

    let body = GenerateRequest { html: Some("<p>one".into()), ..GenerateRequest::new() };
    let generation = generations_api::generate(configuration, body, None, None, None).await?;
    let id = &generation.id;
    let file = files_api::get_generation_file(configuration, id, None, None, None, None, None, None, None, None).await?;
    assert!(file.bytes().await?.starts_with(b"%PDF-"));
    println!("ok generate-bytes");
    assert_eq!((generation.status, generation.pages), (GenerationStatus::Completed, Some(1)));
    println!("ok generate-json");

    let body = GenerateRequest { template: Some(slug.clone()), r#async: Some(true), ..GenerateRequest::new() };
    let mut queued = generations_api::generate(configuration, body, None, None, None).await?;
    while matches!(queued.status, GenerationStatus::Queued | GenerationStatus::Rendering) {
        queued = generations_api::get_generation(configuration, &queued.id, None, Some(10)).await?;
    }
    assert_eq!(queued.status, GenerationStatus::Completed);
    println!("ok async");

    let mut seen = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let page = templates_api::list_templates(configuration, Some(1), cursor.as_deref(), None, None, None, None, None).await?;
        seen.extend(page.data.into_iter().map(|each| each.slug));
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert!(names.iter().all(|name| seen.contains(name)));
    println!("ok list");

    let missing = templates_api::get_template(configuration, "no-such-template", None, None).await;
    assert_eq!(code_of(missing)?, "TEMPLATE_NOT_FOUND");
    println!("ok error");

    for (format, begin) in [(PreviewFormat::Pdf, b"%PDF-".as_slice()), (PreviewFormat::Png, b"\x89PNG")] {
        let body = PreviewRequest { html: Some("<p>one".into()), format: Some(format), ..PreviewRequest::new() };
        let shown = generations_api::preview(configuration, body, None).await?;
        assert!(shown.bytes().await?.starts_with(begin));
    }
    println!("ok preview");

    for name in &names {
        templates_api::delete_template(configuration, name, None, None).await?;
    }
    assert_eq!(code_of(templates_api::get_template(configuration, &slug, None, None).await)?, "TEMPLATE_NOT_FOUND");
    println!("ok delete");
    Ok(())
}
