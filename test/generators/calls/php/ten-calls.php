<?php

declare(strict_types=1);

use OpenAPI\Client\ApiException;
use OpenAPI\Client\Api\AssetsApi;
use OpenAPI\Client\Api\FilesApi;
use OpenAPI\Client\Api\GenerationsApi;
use OpenAPI\Client\Api\TemplatesApi;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\CreateTemplateRequest;
use OpenAPI\Client\Model\ErrorEnvelope;
use OpenAPI\Client\Model\GenerateRequest;
use OpenAPI\Client\Model\GenerationStatus;
use OpenAPI\Client\Model\PreviewFormat;
use OpenAPI\Client\Model\PreviewRequest;
use OpenAPI\Client\Model\UpdateTemplateRequest;

$installed = __DIR__ . '/vendor/autoload.php';
require file_exists($installed) ? $installed : '/usr/share/php/GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class): void {
    $file = __DIR__ . '/client/lib/' . str_replace('\\', '/', str_replace('OpenAPI\\Client\\', '', $class)) . '.php';
    if (file_exists($file)) {
        require $file;
    }
});
set_error_handler(function (int $_, string $message, string $file, int $line): bool {
    throw new ErrorException($message, 0, E_ERROR, $file, $line);
});

$configuration = (new Configuration())->setHost(getenv('PLATEN_URL'))->setAccessToken(getenv('API_KEY'));
$templates = new TemplatesApi(null, $configuration);
$generations = new GenerationsApi(null, $configuration);
$assets = new AssetsApi(null, $configuration);
$files = new FilesApi(null, $configuration);
$slug = getenv('SLUG');

function expect(bool $holds, mixed $about): void
{
    if (!$holds) {
        throw new RuntimeException(print_r($about, true));
    }
}

function codeOf(callable $call): string
{
    try {
        $call();
    } catch (ApiException $err) {
        $envelope = $err->getResponseObject();
        expect($envelope instanceof ErrorEnvelope, $err->getResponseBody());
        return $envelope->getError()->getCode();
    }
    throw new RuntimeException('the call succeeded');
}

function begins(SplFileObject $file, string $begin): bool
{
    $file->rewind();
    return $file->fread(strlen($begin)) === $begin;
}

$names = [$slug, "$slug-2"];
foreach ($names as $name) {
    $template = $templates->createTemplate(new CreateTemplateRequest(['name' => $name, 'html' => '<h1>Hello {{name}}</h1>']));
    expect($template->getVersion() === 1 && $template->getSlug() === $name, $template);
}
echo "ok create\n";

$changeTo = fn (string $name) => $templates->updateTemplate($slug, new UpdateTemplateRequest(['name' => $name]), if_match: '"1"');
expect($changeTo('changed')->getVersion() === 2, 'the change');
expect(codeOf(fn () => $changeTo('stale')) === 'PRECONDITION_FAILED', 'stale');
echo "ok change\n";

foreach (['picture' => ['PNG', 'image/png'], 'font' => ['FONT', 'font/ttf']] as $kind => [$variable, $type]) {
    $asset = $assets->putAsset("$slug-$kind", new SplFileObject(getenv($variable), 'rb'));
    expect($asset->getType() === $type && $asset->getBytes() === filesize(getenv($variable)), $asset);
}
echo "ok upload\n";

$generation = $generations->generate(new GenerateRequest(['html' => '<p>one']));
expect(begins($files->getGenerationFile($generation->getId()), '%PDF-'), 'the file');
echo "ok generate-bytes\n";
expect($generation->getStatus() === GenerationStatus::COMPLETED && $generation->getPages() === 1, $generation);
echo "ok generate-json\n";

$queued = $generations->generate(new GenerateRequest(['template' => $slug, 'async' => true]));
while (in_array($queued->getStatus(), [GenerationStatus::QUEUED, GenerationStatus::RENDERING], true)) {
    $queued = $generations->getGeneration($queued->getId(), wait: 10);
}
expect($queued->getStatus() === GenerationStatus::COMPLETED, $queued);
echo "ok async\n";

$seen = [];
$cursor = null;
do {
    $page = $templates->listTemplates(limit: 1, cursor: $cursor);
    foreach ($page->getData() as $each) {
        $seen[] = $each->getSlug();
    }
    $cursor = $page->getNextCursor();
} while ($cursor !== null);
expect(array_diff($names, $seen) === [], $seen);
echo "ok list\n";

expect(codeOf(fn () => $templates->getTemplate('no-such-template')) === 'TEMPLATE_NOT_FOUND', 'the code');
echo "ok error\n";

foreach ([PreviewFormat::PDF => '%PDF-', PreviewFormat::PNG => "\x89PNG"] as $format => $begin) {
    expect(begins($generations->preview(new PreviewRequest(['html' => '<p>one', 'format' => $format])), $begin), $format);
}
echo "ok preview\n";

foreach ($names as $name) {
    $templates->deleteTemplate($name);
}
expect(codeOf(fn () => $templates->getTemplate($slug)) === 'TEMPLATE_NOT_FOUND', 'deleted');
echo "ok delete\n";
