using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Newtonsoft.Json;
using Org.OpenAPITools.Api;
using Org.OpenAPITools.Client;
using Org.OpenAPITools.Model;

static class TenCalls
{
    static void Expect(bool holds, object about)
    {
        if (!holds) throw new Exception($"unexpected: {about}");
    }

    static string CodeOf(Action call)
    {
        try
        {
            call();
        }
        catch (ApiException err)
        {
            return JsonConvert.DeserializeObject<ErrorEnvelope>(err.ErrorContent.ToString()).Error.Code;
        }
        throw new Exception("the call succeeded");
    }

    static bool StartsWith(FileParameter file, params byte[] begin)
    {
        using var bytes = new MemoryStream();
        file.Content.CopyTo(bytes);
        return bytes.ToArray().Take(begin.Length).SequenceEqual(begin);
    }

    static readonly byte[] pdf = { (byte)'%', (byte)'P', (byte)'D', (byte)'F', (byte)'-' };
    static readonly byte[] png = { 0x89, (byte)'P', (byte)'N', (byte)'G' };

    static void Main()
    {
        var config = new Configuration
        {
            BasePath = Environment.GetEnvironmentVariable("PLATEN_URL"),
            AccessToken = Environment.GetEnvironmentVariable("API_KEY"),
        };
        using var templates = new TemplatesApi(config);
        using var generations = new GenerationsApi(config);
        using var assets = new AssetsApi(config);
        using var files = new FilesApi(config);
        var slug = Environment.GetEnvironmentVariable("SLUG");

        var names = new[] { slug, $"{slug}-2" };
        foreach (var name in names)
        {
            var template = templates.CreateTemplate(new CreateTemplateRequest(name: name, html: "<h1>Hello {{name}}</h1>"));
            Expect(template.VarVersion == 1 && template.Slug == name, template);
        }
        Console.WriteLine("ok create");

        var changed = templates.UpdateTemplate(slug, new UpdateTemplateRequest(name: "changed"), ifMatch: "\"1\"");
        Expect(changed.VarVersion == 2, changed);
        var stale = CodeOf(() => templates.UpdateTemplate(slug, new UpdateTemplateRequest(name: "stale"), ifMatch: "\"1\""));
        Expect(stale == "PRECONDITION_FAILED", stale);
        Console.WriteLine("ok change");

        foreach (var (variable, name, type) in new[] { ("PNG", "picture", "image/png"), ("FONT", "font", "font/ttf") })
        {
            using var content = File.OpenRead(Environment.GetEnvironmentVariable(variable));
            var bytes = content.Length;
            var asset = assets.PutAsset($"{slug}-{name}", content);
            Expect(asset.Type == type && asset.Bytes == bytes, asset);
        }
        Console.WriteLine("ok upload");

        var generation = generations.Generate(new GenerateRequest(html: "<p>one"));
        Expect(StartsWith(files.GetGenerationFile(generation.Id), pdf), "the file");
        Console.WriteLine("ok generate-bytes");
        Expect(generation.Status == GenerationStatus.Completed && generation.Pages == 1, generation);
        Console.WriteLine("ok generate-json");

        var queued = generations.Generate(new GenerateRequest(template: slug, async: true));
        while (queued.Status == GenerationStatus.Queued || queued.Status == GenerationStatus.Rendering)
        {
            queued = generations.GetGeneration(queued.Id, wait: 10);
        }
        Expect(queued.Status == GenerationStatus.Completed, queued);
        Console.WriteLine("ok async");

        var seen = new List<string>();
        string cursor = null;
        do
        {
            var page = templates.ListTemplates(limit: 1, cursor: cursor);
            seen.AddRange(page.Data.Select(each => each.Slug));
            cursor = page.NextCursor;
        } while (cursor != null);
        Expect(names.All(seen.Contains), string.Join(" ", seen));
        Console.WriteLine("ok list");

        var unknown = CodeOf(() => templates.GetTemplate("no-such-template"));
        Expect(unknown == "TEMPLATE_NOT_FOUND", unknown);
        Console.WriteLine("ok error");

        foreach (var (format, begin) in new[] { (PreviewFormat.Pdf, pdf), (PreviewFormat.Png, png) })
        {
            var shown = generations.Preview(new PreviewRequest(html: "<p>one", format: format));
            Expect(StartsWith(shown, begin), format);
        }
        Console.WriteLine("ok preview");

        foreach (var name in names) templates.DeleteTemplate(name);
        var deleted = CodeOf(() => templates.GetTemplate(slug));
        Expect(deleted == "TEMPLATE_NOT_FOUND", deleted);
        Console.WriteLine("ok delete");
    }
}
