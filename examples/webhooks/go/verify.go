// Verifies a webhook. Go 1.21 or newer; standard library only.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

const tolerance = 5 * time.Minute

// verifyWebhook returns false for a webhook that is not Platen's, or is old. The secret is whsec_…, the body as it was received.
func verifyWebhook(secret, id, timestamp, signatures string, body []byte) bool {
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, timestamp, body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	// Two while the secret is rotated.
	for _, signature := range strings.Split(signatures, " ") {
		if hmac.Equal([]byte(signature), []byte(expected)) {
			return true
		}
	}
	return false
}

// For a try: go run verify.go <id> <timestamp> <signature> < body
func main() {
	body, _ := io.ReadAll(os.Stdin)
	if verifyWebhook(os.Getenv("WEBHOOK_SECRET"), os.Args[1], os.Args[2], os.Args[3], body) {
		fmt.Println("valid")
	} else {
		fmt.Println("refused")
	}
}
