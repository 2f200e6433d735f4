<?php
// Verifies a webhook. PHP 8; no packages.

const TOLERANCE_S = 5 * 60;

/** $secret: whsec_…; $body: as it was received, file_get_contents('php://input'). False for one that is not Platen's, or is old. */
function verify_webhook(string $secret, string $id, string $timestamp, string $signatures, string $body): bool
{
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > TOLERANCE_S) {
        return false;
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
    if ($key === false) {
        return false;
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // Two while the secret is rotated.
    foreach (explode(' ', $signatures) as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

// For a try: php verify.php <id> <timestamp> <signature> < body
// In a receiver: $_SERVER['HTTP_WEBHOOK_ID'], ['HTTP_WEBHOOK_TIMESTAMP'], ['HTTP_WEBHOOK_SIGNATURE']
if (PHP_SAPI === 'cli') {
    [, $id, $timestamp, $signatures] = $argv;
    $valid = verify_webhook(getenv('WEBHOOK_SECRET'), $id, $timestamp, $signatures, stream_get_contents(STDIN));
    echo $valid ? "valid\n" : "refused\n";
}
