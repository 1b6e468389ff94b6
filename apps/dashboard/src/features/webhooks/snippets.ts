export type SnippetLanguage = 'TypeScript' | 'Python';

/** How a receiver verifies a request. The library of Standard Webhooks exists in other languages too. */
export const SNIPPETS: Readonly<Record<SnippetLanguage, string>> = {
  TypeScript: `// npm install express standardwebhooks
import express from 'express';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.OUTDIAL_WEBHOOK_SECRET);
express()
  .post('/hooks', express.raw({ type: '*/*' }), (request, response) => {
    const event = webhook.verify(request.body.toString(), request.headers);
    console.log(event.type, request.headers['webhook-id']);
    response.sendStatus(204);
  })
  .listen(3001);`,
  Python: `# pip install flask standardwebhooks
import os
from flask import Flask, request
from standardwebhooks import Webhook

webhook = Webhook(os.environ["OUTDIAL_WEBHOOK_SECRET"])
app = Flask(__name__)

@app.post("/hooks")
def receive():
    event = webhook.verify(request.get_data(), dict(request.headers))
    print(event["type"], request.headers["webhook-id"])
    return "", 204`,
};
