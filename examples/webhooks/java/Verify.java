// Verifies a webhook. Java 17 or newer; no packages.
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Verify {
    private static final long TOLERANCE_S = 5 * 60;

    /** secret: whsec_…; body: as it was received. False for a webhook that is not Platen's, or is old. */
    public static boolean verifyWebhook(String secret, String id, String timestamp, String signatures, byte[] body)
            throws GeneralSecurityException {
        if (!timestamp.matches("\\d{1,12}")) return false;
        if (Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(timestamp)) > TOLERANCE_S) return false;
        byte[] key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
        // Two while the secret is rotated.
        for (String signature : signatures.split(" ")) {
            if (MessageDigest.isEqual(signature.getBytes(StandardCharsets.UTF_8), expected)) return true;
        }
        return false;
    }

    // For a try: java Verify.java <id> <timestamp> <signature> < body
    public static void main(String[] args) throws Exception {
        String secret = System.getenv("WEBHOOK_SECRET");
        boolean valid = verifyWebhook(secret, args[0], args[1], args[2], System.in.readAllBytes());
        System.out.println(valid ? "valid" : "refused");
    }
}
