import { answerParts, type AnswerPart } from '../chat/answer-parts.ts';
import { AnswerStream, type AnswerDialect, type AnswerEnd, type ChatInput } from '../chat/answer-stream.ts';
import { ChatTokens } from '../chat/chat-tokens.ts';
import { faultOf } from '../faults.ts';
import type { Address, RequestEndpoint } from '../http/endpoints.ts';
import { readBody } from '../http/json-body.ts';
import { refuseRequest, type Refusal } from '../http/refusal.ts';
import { replyTo } from '../script.ts';
import { googleAccess, googleRefusal } from './access.ts';
import { generateRequestSchema, orderProblem, promptOf, type GenerateRequest } from './generate-request.ts';

const PATH = /^\/v1beta\/models\/([\w.-]+):streamGenerateContent$/;

/** Google's Generative Language: `/v1beta/models/<model>:streamGenerateContent?alt=sse`. */
export function generateContent(input: ChatInput): RequestEndpoint {
  const tokens = new ChatTokens();
  let answers = 0;
  return {
    method: 'POST',
    path: PATH,
    handle({ url, headers, body }, response) {
      const model = PATH.exec(url.pathname)?.[1] ?? '';
      const refusal = googleAccess({ url, headers }, model) ?? addressProblem(url, model);
      if (refusal !== null) return refuseRequest(response, refusal);
      const read = readBody(body, generateRequestSchema);
      if (!read.ok) {
        const message = `Invalid JSON payload received. '${read.path}': ${read.problem}`;
        return refuseRequest(response, googleRefusal(400, message));
      }
      const request = read.value;
      const problem = orderProblem(request.contents, model);
      if (problem !== null) return refuseRequest(response, googleRefusal(400, problem));
      answers += 1;
      const fault = faultOf(model);
      const reply = fault?.kind === 'empty' ? {} : replyTo(input.script, promptOf(request.contents));
      new AnswerStream({
        ...input,
        dialect: contentDialect(`response_${answers}`, model),
        response,
        fault,
        parts: answerParts(reply, {
          callId: `call_${answers}`,
          inPieces: false,
          hasTools: request.tools !== undefined,
        }),
        limit: request.generationConfig?.maxOutputTokens ?? Number.POSITIVE_INFINITY,
        read: tokens.read(readParts(request)),
        delayMs: reply.delayMs,
      }).start();
    },
  };
}

/** The models of a key: `/v1beta/models`. */
export function googleModels(): RequestEndpoint {
  return {
    method: 'GET',
    path: /^\/v1beta\/models$/,
    handle(address: Address, response) {
      const refusal = googleAccess(address, null);
      if (refusal !== null) return refuseRequest(response, refusal);
      const models = ['gemini-simulated', 'gemini-2.5-flash'].map((name) => ({ name: `models/${name}` }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ models }));
    },
  };
}

/** Without `alt` the real one answers with one array, which no client of a call reads. */
function addressProblem({ searchParams }: URL, model: string): Refusal | null {
  if (searchParams.get('alt') !== 'sse')
    return googleRefusal(400, 'Only streams are simulated: set `alt` as for events.');
  if (faultOf(model) !== null || model.startsWith('gemini-')) return null;
  return googleRefusal(404, `models/${model} is not found for API version v1beta.`);
}

const readParts = ({ tools = [], systemInstruction, contents }: GenerateRequest): readonly string[] =>
  [tools, systemInstruction ?? {}, ...contents].map((part) => JSON.stringify(part));

const FINISH_REASONS = { stop: 'STOP', tool: 'STOP', length: 'MAX_TOKENS' } as const satisfies Readonly<
  Record<AnswerEnd['reason'], string>
>;

/** Source: https://ai.google.dev/api/generate-content */
function contentDialect(responseId: string, modelVersion: string): AnswerDialect {
  const event = (fields: object) => `data: ${JSON.stringify({ ...fields, modelVersion, responseId })}\r\n\r\n`;
  return {
    provider: 'google',
    garbage: 'data: {"candidates":[{"cont\r\n\r\n',
    error: `data: ${JSON.stringify({ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } })}\r\n\r\n`,
    begin: () => '',
    part: (part) => event({ candidates: [{ content: { role: 'model', parts: [partOf(part)] }, index: 0 }] }),
    end({ reason, usage: { prompt, cached, written }, reportsUsage }) {
      const usageMetadata = {
        promptTokenCount: prompt,
        ...(cached === 0 ? {} : { cachedContentTokenCount: cached }),
        ...(written === 0 ? {} : { candidatesTokenCount: written }),
        totalTokenCount: prompt + written,
      };
      const candidates = [
        { content: { role: 'model', parts: [{ text: '' }] }, finishReason: FINISH_REASONS[reason], index: 0 },
      ];
      return event({ candidates, ...(reportsUsage ? { usageMetadata } : {}) });
    },
  };
}

/** Calls come whole. */
function partOf(part: AnswerPart): object {
  if (part.kind !== 'tool') return { text: part.text };
  const args: unknown = JSON.parse(part.argumentsText);
  return { functionCall: { id: part.id, name: part.name, args }, thoughtSignature: 'c2ltdWxhdGVk' };
}
