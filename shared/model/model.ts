import { Counter, Histogram } from 'prom-client';
import { apiError } from '../errors/errors.js';
import type { Log } from '../monitoring/log.js';
import { metricsRegistry } from '../monitoring/metrics.js';
import { createOutbound } from '../outbound/client.js';
import type { Config } from '../settings/config.js';
import { scaleMs } from '../settings/time-scale.js';
import { FairTurns } from '../work/fair-turns.js';
import { ChatAnswer, type TokenUse } from './chat-answer.js';

/** Uses of the model, for metrics. */
export type Purpose = 'ask' | 'questions' | 'translate';

export interface Message {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface ModelRequest {
  purpose: Purpose;
  organization: string;
  messages: Message[];
  /** The most tokens of the answer. */
  maxTokens: number;
  /** Called with the whole text so far. */
  onText?: (text: string) => void;
  signal?: AbortSignal;
}

export interface ModelAnswer {
  text: string;
  use: TokenUse;
}

/** The model of the operator. */
export interface Model {
  /** Tokens of what it is sent and answers together. */
  contextTokens: number;
  answerTokens: number;
  /** Throws 503 where it does not answer, or not to the end, and where too much waits for it; the reason of the signal when that aborts. */
  complete(request: ModelRequest): Promise<ModelAnswer>;
  close(): Promise<void>;
}

type ModelConfig = Pick<
  Config,
  'MODEL_URL' | 'MODEL_NAME' | 'MODEL_KEY' | 'MODEL_CONTEXT_TOKENS' | 'MODEL_ANSWER_TOKENS' | 'MODEL_REQUESTS'
>;

/** The operator names the one server that is asked, so that it may be anywhere. */
const anywhere = ['0.0.0.0/0', '::/0'];
/** Milliseconds for an answer, from its request to its end. */
const answerMs = scaleMs(120_000);
/** Bytes of the stream of one token: each comes as an object of its own. */
const maxBytesOfToken = 2_000;
const minBytes = 1024 * 1024;
const maxWaiting = 16;

const registers = [metricsRegistry];

const requests = new Counter({
  name: 'bindery_model_requests_total',
  help: 'Requests to the model, by purpose (ask, questions, translate) and outcome (answered, failed, aborted).',
  labelNames: ['purpose', 'outcome'],
  registers,
});
const tokens = new Counter({
  name: 'bindery_model_tokens_total',
  help: 'Tokens that the model was sent and answered, by purpose.',
  labelNames: ['purpose', 'direction'],
  registers,
});
const duration = new Histogram({
  name: 'bindery_model_duration_seconds',
  help: 'Time of a request to the model that was answered, by purpose.',
  labelNames: ['purpose'],
  buckets: [0.5, 1, 2.5, 5, 10, 30, 60, 120],
  registers,
});

/** Estimates the tokens of a text, rather too many: a token has three bytes and more in most languages. */
export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 3);

/** The model that the settings name; undefined without one. */
export function openModel(config: ModelConfig, log: Log): Model | undefined {
  const { MODEL_URL, MODEL_NAME, MODEL_KEY, MODEL_REQUESTS, MODEL_CONTEXT_TOKENS, MODEL_ANSWER_TOKENS } = config;
  if (MODEL_URL === undefined) return undefined;
  const outbound = createOutbound({ allowCidrs: anywhere });
  const maxOfOwner = Math.max(1, Math.floor(MODEL_REQUESTS / 2));
  const turns = new FairTurns({
    max: MODEL_REQUESTS,
    maxOfOwner,
    waiting: maxWaiting,
    busy: 'Too many questions are being answered; try again later',
  });

  async function send({ organization, messages, maxTokens, onText, signal }: ModelRequest): Promise<ModelAnswer> {
    const answer = new ChatAnswer(onText);
    const { status } = await outbound.fetch(`${MODEL_URL}/chat/completions`, {
      owner: organization,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...(MODEL_KEY === undefined ? {} : { authorization: `Bearer ${MODEL_KEY}` }),
      },
      body: JSON.stringify({
        model: MODEL_NAME,
        messages,
        max_tokens: maxTokens,
        temperature: 0,
        stream: true,
        stream_options: { include_usage: true },
      }),
      timeoutMs: answerMs,
      maxBytes: Math.max(minBytes, maxTokens * maxBytesOfToken),
      maxRedirects: 0,
      onPart: (_, part) => answer.add(part),
      ...(signal ? { signal } : {}),
    });
    if (status !== 200) throw new Error(`the model server answered ${status}`);
    if (answer.isBroken || !answer.isComplete) throw new Error('the answer of the model server broke off');
    const sent = messages.map(({ content }) => content).join('\n');
    return {
      text: answer.text,
      use: answer.use ?? { sent: estimateTokens(sent), answered: estimateTokens(answer.text) },
    };
  }

  async function sendMeasured(request: ModelRequest): Promise<ModelAnswer> {
    const { purpose, signal } = request;
    const began = performance.now();
    try {
      const answered = await send(request);
      requests.inc({ purpose, outcome: 'answered' });
      tokens.inc({ purpose, direction: 'sent' }, answered.use.sent);
      tokens.inc({ purpose, direction: 'answered' }, answered.use.answered);
      duration.observe({ purpose }, (performance.now() - began) / 1000);
      return answered;
    } catch (err) {
      requests.inc({ purpose, outcome: signal?.aborted ? 'aborted' : 'failed' });
      signal?.throwIfAborted();
      log.warn({ err, purpose, organization: request.organization }, 'the model did not answer');
      throw apiError('UNAVAILABLE', 'The model of this installation did not answer; try again later', 'model_failed');
    }
  }

  return {
    contextTokens: MODEL_CONTEXT_TOKENS,
    answerTokens: MODEL_ANSWER_TOKENS,
    // Readers do not wait for translations, nor these for readers.
    complete: (request) =>
      turns.run(
        `${request.purpose === 'translate' ? 'translate' : 'ask'} ${request.organization}`,
        () => sendMeasured(request),
        request.signal,
      ),
    close: () => outbound.close(),
  };
}

export type HasModel = { model: Model | undefined };
