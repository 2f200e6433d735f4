package platen

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// ErrWebhook says that a request is not a webhook of this Platen, or is too old: answer it with 400.
var ErrWebhook = errors.New("platen: the webhook is not accepted")

const webhookTolerance = 5 * time.Minute

// VerifyWebhook verifies the signature and the time of a webhook (Standard Webhooks 1.0.0), and returns it. The body is
// the request body as it was received. A secret is whsec_ and base64; while it is rotated, there are two. The error
// is [ErrWebhook], or another one if a secret is malformed.
func VerifyWebhook(body []byte, header http.Header, secrets ...string) (*GenerationWebhook, error) {
	id, timestamp := header.Get("Webhook-Id"), header.Get("Webhook-Timestamp")
	if id == "" {
		return nil, fmt.Errorf("%w: the header webhook-id is missing", ErrWebhook)
	}
	seconds, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil {
		return nil, fmt.Errorf("%w: webhook-timestamp is not a number of seconds", ErrWebhook)
	}
	if age := time.Since(time.Unix(int64(seconds), 0)); age.Abs() > webhookTolerance {
		return nil, fmt.Errorf("%w: it is %s old", ErrWebhook, age.Round(time.Second))
	}
	signed := append([]byte(id+"."+timestamp+"."), body...)
	isSigned := false
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) == 0 {
			return nil, errors.New("platen: a webhook secret must be whsec_ and base64")
		}
		isSigned = isSigned || hasSignature(header.Get("Webhook-Signature"), signed, key)
	}
	if !isSigned {
		return nil, fmt.Errorf("%w: no signature is of a given secret", ErrWebhook)
	}
	webhook := new(GenerationWebhook)
	if err := json.Unmarshal(body, webhook); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrWebhook, err)
	}
	return webhook, nil
}

// hasSignature tells whether one of the signatures, such as "v1,K5oZ… v1,9pj2…", is of the key.
func hasSignature(signatures string, signed, key []byte) bool {
	mac := hmac.New(sha256.New, key)
	mac.Write(signed)
	expected := mac.Sum(nil)
	for signature := range strings.SplitSeq(signatures, " ") {
		encoded, isKnown := strings.CutPrefix(signature, "v1,")
		decoded, err := base64.StdEncoding.DecodeString(encoded)
		if isKnown && err == nil && hmac.Equal(decoded, expected) {
			return true
		}
	}
	return false
}
