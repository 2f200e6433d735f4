package example;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.JSON;
import org.openapitools.client.api.AssetsApi;
import org.openapitools.client.api.FilesApi;
import org.openapitools.client.api.GenerationsApi;
import org.openapitools.client.api.TemplatesApi;
import org.openapitools.client.model.Asset;
import org.openapitools.client.model.CreateTemplateRequest;
import org.openapitools.client.model.ErrorEnvelope;
import org.openapitools.client.model.GenerateRequest;
import org.openapitools.client.model.Generation;
import org.openapitools.client.model.GenerationStatus;
import org.openapitools.client.model.ListedTemplate;
import org.openapitools.client.model.PreviewFormat;
import org.openapitools.client.model.PreviewRequest;
import org.openapitools.client.model.Template;
import org.openapitools.client.model.TemplatePage;
import org.openapitools.client.model.UpdateTemplateRequest;

public final class TenCalls {
    interface Call {
        void run() throws ApiException;
    }

    static void expect(boolean holds, Object about) {
        if (!holds) throw new AssertionError(about);
    }

    static String codeOf(Call call) {
        try {
            call.run();
        } catch (ApiException err) {
            ErrorEnvelope envelope = JSON.getGson().fromJson(err.getResponseBody(), ErrorEnvelope.class);
            return envelope.getError().getCode();
        }
        throw new AssertionError("the call succeeded");
    }

    static boolean startsWith(File file, String begin) throws IOException {
        return new String(Files.readAllBytes(file.toPath()), StandardCharsets.ISO_8859_1).startsWith(begin);
    }

    public static void main(String[] args) throws ApiException, IOException {
        ApiClient client = new ApiClient();
        client.setBasePath(System.getenv("PLATEN_URL"));
        client.setBearerToken(System.getenv("API_KEY"));
        TemplatesApi templates = new TemplatesApi(client);
        GenerationsApi generations = new GenerationsApi(client);
        AssetsApi assets = new AssetsApi(client);
        FilesApi files = new FilesApi(client);
        String slug = System.getenv("SLUG");

        List<String> names = Arrays.asList(slug, slug + "-2");
        for (String name : names) {
            CreateTemplateRequest body = new CreateTemplateRequest().name(name).html("<h1>Hello {{name}}</h1>");
            Template template = templates.createTemplate(body, null, null);
            expect(template.getVersion() == 1 && template.getSlug().equals(name), template);
        }
        System.out.println("ok create");

        UpdateTemplateRequest change = new UpdateTemplateRequest().name("changed");
        expect(templates.updateTemplate(slug, change, null, "\"1\"").getVersion() == 2, "the change");
        UpdateTemplateRequest stale = new UpdateTemplateRequest().name("stale");
        expect(codeOf(() -> templates.updateTemplate(slug, stale, null, "\"1\"")).equals("PRECONDITION_FAILED"), "stale");
        System.out.println("ok change");

        for (String variable : Arrays.asList("PNG", "FONT")) {
            File file = new File(System.getenv(variable));
            boolean isPicture = variable.equals("PNG");
            Asset asset = assets.putAsset(slug + (isPicture ? "-picture" : "-font"), file, null, null, null);
            expect(asset.getType().equals(isPicture ? "image/png" : "font/ttf"), asset);
            expect(asset.getBytes().longValue() == file.length(), asset);
        }
        System.out.println("ok upload");

        Generation generation = generations.generate(new GenerateRequest().html("<p>one"), null, null, null);
        File file = files.getGenerationFile(generation.getId(), null, null, null, null, null, null, null, null);
        expect(startsWith(file, "%PDF-"), file);
        System.out.println("ok generate-bytes");
        expect(generation.getStatus() == GenerationStatus.COMPLETED && generation.getPages() == 1, generation);
        System.out.println("ok generate-json");

        GenerateRequest later = new GenerateRequest().template(slug).async(true);
        Generation queued = generations.generate(later, null, null, null);
        while (queued.getStatus() == GenerationStatus.QUEUED || queued.getStatus() == GenerationStatus.RENDERING) {
            queued = generations.getGeneration(queued.getId(), null, 10);
        }
        expect(queued.getStatus() == GenerationStatus.COMPLETED, queued);
        System.out.println("ok async");

        List<String> seen = new ArrayList<>();
        String cursor = null;
        do {
            TemplatePage page = templates.listTemplates(1, cursor, null, null, null, null, null);
            for (ListedTemplate each : page.getData()) seen.add(each.getSlug());
            cursor = page.getNextCursor();
        } while (cursor != null);
        expect(seen.containsAll(names), seen);
        System.out.println("ok list");

        expect(codeOf(() -> templates.getTemplate("no-such-template", null, null)).equals("TEMPLATE_NOT_FOUND"), "code");
        System.out.println("ok error");

        PreviewRequest preview = new PreviewRequest().html("<p>one");
        expect(startsWith(generations.preview(preview.format(PreviewFormat.PDF), null), "%PDF-"), "a PDF");
        expect(startsWith(generations.preview(preview.format(PreviewFormat.PNG), null), "\u0089PNG"), "a picture");
        System.out.println("ok preview");

        for (String name : names) templates.deleteTemplate(name, null, null);
        expect(codeOf(() -> templates.getTemplate(slug, null, null)).equals("TEMPLATE_NOT_FOUND"), "deleted");
        System.out.println("ok delete");
        System.exit(0);
    }
}
