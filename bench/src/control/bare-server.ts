import { createCallSchema } from '@outdial/contracts';
import express from 'express';
import { controlEnv } from './env.ts';

/** The baseline of the create benchmark: Express parses and validates the same body, and nothing else. */
const env = controlEnv();
const app = express();
app.disable('x-powered-by');
app.use(express.json({ limit: '64kb' }));

app.post('/api/v1/outbound/calls', (request, response) => {
  const body = createCallSchema.safeParse(request.body);
  if (!body.success) {
    response.status(400).json({ error: 'invalid_request' });
    return;
  }
  response.status(201).json({ call: body.data });
});

app.listen(env.port, '127.0.0.1', () => process.send?.('ready'));
