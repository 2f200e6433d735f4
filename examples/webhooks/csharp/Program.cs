// Verifies a webhook. .NET 5 or newer, or Mono 6; no packages.
using System;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Text;

public static class Webhook
{
    private const long ToleranceS = 5 * 60;

    /// <summary>secret: whsec_…; body: as it was received. False for a webhook that is not Platen's, or is old.</summary>
    public static bool Verify(string secret, string id, string timestamp, string signatures, byte[] body)
    {
        if (!long.TryParse(timestamp, NumberStyles.None, CultureInfo.InvariantCulture, out var seconds)) return false;
        if (Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - seconds) > ToleranceS) return false;
        var key = Convert.FromBase64String(secret.StartsWith("whsec_") ? secret.Substring(6) : secret);
        var signed = Encoding.UTF8.GetBytes($"{id}.{timestamp}.").Concat(body).ToArray();
        byte[] expected;
        using (var hmac = new HMACSHA256(key)) expected = hmac.ComputeHash(signed);
        var signature = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(expected));
        // Two while the secret is rotated.
        return signatures.Split(' ').Any(one => CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(one), signature));
    }

    // For a try: dotnet run -- <id> <timestamp> <signature> < body
    public static void Main(string[] args)
    {
        using (var input = new MemoryStream())
        {
            Console.OpenStandardInput().CopyTo(input);
            var secret = Environment.GetEnvironmentVariable("WEBHOOK_SECRET") ?? "";
            Console.WriteLine(Verify(secret, args[0], args[1], args[2], input.ToArray()) ? "valid" : "refused");
        }
    }
}
