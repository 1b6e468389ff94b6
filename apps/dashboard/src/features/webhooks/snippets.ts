export const SNIPPET_LANGUAGES = ['TypeScript', 'Python', 'Go'] as const;
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number];

/** How a receiver verifies a request. The library of Standard Webhooks exists in other languages too. */
export const SNIPPETS: Readonly<Record<SnippetLanguage, string>> = {
  TypeScript: `// npm install express standardwebhooks
import express from 'express';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.OUTDIAL_WEBHOOK_SECRET);
express()
  .post('/hooks', express.raw({ type: '*/*' }), (request, response) => {
    let event;
    try {
      event = webhook.verify(request.body.toString(), request.headers);
    } catch {
      return response.sendStatus(401);
    }
    console.log(event.type, request.headers['webhook-id']);
    response.sendStatus(204);
  })
  .listen(3001);`,
  Python: `# pip install flask standardwebhooks
import os
from flask import Flask, request
from standardwebhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["OUTDIAL_WEBHOOK_SECRET"])
app = Flask(__name__)

@app.post("/hooks")
def receive():
    try:
        event = webhook.verify(request.get_data(), dict(request.headers))
    except WebhookVerificationError:
        return "", 401
    print(event["type"], request.headers["webhook-id"])
    return "", 204`,
  // Needs no library: the page about webhooks has the same program.
  Go: `// go run receive.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	http.HandleFunc("/hooks", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 256<<10))
		if err == nil {
			err = verify(os.Getenv("OUTDIAL_WEBHOOK_SECRET"), r.Header, body)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		log.Println(r.Header.Get("webhook-id"), string(body))
		w.WriteHeader(http.StatusNoContent)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:3001", nil))
}

// verify checks the signature and the time of a request, as Standard Webhooks 1.0 asks.
func verify(secret string, header http.Header, body []byte) error {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) == 0 {
		return errors.New("OUTDIAL_WEBHOOK_SECRET is not whsec_ and base64")
	}
	id, sent := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(sent, 10, 64)
	if err != nil {
		return errors.New("webhook-timestamp is missing")
	}
	if age := time.Since(time.Unix(seconds, 0)); age > 5*time.Minute || age < -5*time.Minute {
		return errors.New("it was not signed in the last five minutes")
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + sent + "."))
	mac.Write(body)
	want := mac.Sum(nil)
	// There are two while a secret is replaced. hmac.Equal takes the same time for each wrong one.
	for _, signature := range strings.Fields(header.Get("webhook-signature")) {
		if !strings.HasPrefix(signature, "v1,") {
			continue
		}
		given, err := base64.StdEncoding.DecodeString(signature[len("v1,"):])
		if err == nil && hmac.Equal(given, want) {
			return nil
		}
	}
	return errors.New("no signature matches")
}`,
};
