// Verifies a webhook. .NET 8 or newer; no packages.
using System.Security.Cryptography;
using System.Text;

// For a try: dotnet run -- <id> <timestamp> <signature> < body
using var input = new MemoryStream();
Console.OpenStandardInput().CopyTo(input);
var secret = Environment.GetEnvironmentVariable("WEBHOOK_SECRET") ?? "";
Console.WriteLine(Webhook.Verify(secret, args[0], args[1], args[2], input.ToArray()) ? "valid" : "refused");

public static class Webhook
{
    private const long ToleranceS = 5 * 60;

    /// <summary>secret: whsec_…; body: as it was received. False for a webhook that is not Platen's, or is old.</summary>
    public static bool Verify(string secret, string id, string timestamp, string signatures, byte[] body)
    {
        if (!long.TryParse(timestamp, out var seconds)) return false;
        if (Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - seconds) > ToleranceS) return false;
        var key = Convert.FromBase64String(secret.StartsWith("whsec_") ? secret[6..] : secret);
        byte[] signed = [.. Encoding.UTF8.GetBytes($"{id}.{timestamp}."), .. body];
        var expected = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(HMACSHA256.HashData(key, signed)));
        // Two while the secret is rotated.
        return signatures.Split(' ').Any(one => CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(one), expected));
    }
}
