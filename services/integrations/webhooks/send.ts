import { createHmac } from 'node:crypto';
import type { Outbound } from '../../../shared/outbound/client.js';
import { OutboundFailed, OutboundRefused } from '../../../shared/outbound/failure.js';
import { scaleMs } from '../../../shared/settings/time-scale.js';
import { timestamp } from '../../../shared/values/ids.js';
import type { EventPayload } from '../deliveries/queue/payloads.js';
import type { LogLine } from '../deliveries/queue/resources.js';
import { type Outcome, RuntimeFailure } from '../runtime/runtime.js';
import { eventKindOf } from './selection.js';

const timeoutMs = scaleMs(10_000);
/** Bytes of an answer that are read. */
const maxRead = 10_000;
/** Characters of an answer in the log. */
const maxShown = 500;

export interface Sending {
  /** The organization of the installation. */
  organization: string;
  configuration: Record<string, unknown>;
  event: EventPayload;
  signal?: AbortSignal | undefined;
}

/**
 * Sends an event to the address of an installation. Resolves with what was answered; events that no webhook gets are not sent (406). Rejects with a
 * `RuntimeFailure` without an answer.
 */
export async function sendWebhook(
  { outbound }: { outbound: Outbound },
  { organization, configuration, event, signal }: Sending,
): Promise<Outcome> {
  if (eventKindOf(event.type) === undefined) return { ...nothing, status: 406 };
  const { url, secret } = configuration;
  // Emptied while the event waited. As a 4xx of a receiver, it is not tried again.
  if (!isText(url) || !isText(secret)) return { ...nothing, status: 400, ended: Promise.resolve([notConfigured()]) };
  const body = JSON.stringify(event);
  const began = performance.now();
  try {
    const answer = await outbound.fetch(url, {
      owner: organization,
      method: 'POST',
      headers: webhookHeaders(event, { secret, body }),
      body,
      timeoutMs,
      maxBytes: maxRead,
      cut: true,
      maxRedirects: 0,
      ...(signal ? { signal } : {}),
    });
    const logs = [answerLine(url, answer, performance.now() - began)];
    return { status: answer.status, headers: [], body: answer.body, ended: Promise.resolve(logs) };
  } catch (error) {
    if (!(error instanceof OutboundFailed || error instanceof OutboundRefused)) throw error;
    const reason = error instanceof OutboundFailed && error.reason === 'timeout' ? 'time' : 'start';
    throw new RuntimeFailure(reason, error.message, { logs: [logLine('error', error.message)] });
  }
}

const nothing: Omit<Outcome, 'status'> = { headers: [], body: Buffer.alloc(0), ended: Promise.resolve([]) };

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const notConfigured = () => logLine('error', 'not sent: the configuration has no url or no secret');

const webhookHeaders = ({ eventId, type }: EventPayload, { secret, body }: { secret: string; body: string }) => ({
  'content-type': 'application/json',
  'user-agent': 'Bindery',
  'x-gitbook-signature': signBody({ secret, seconds: Math.floor(Date.now() / 1000), body }),
  'x-bindery-event': type,
  'x-bindery-delivery': eventId,
});

function answerLine(url: string, { status, body }: { status: number; body: Buffer }, tookMs: number): LogLine {
  const said = body.toString('utf8').slice(0, maxShown).trim();
  const text = `POST ${new URL(url).host}: ${status} in ${Math.round(tookMs)} ms${said === '' ? '' : `: ${said}`}`;
  return logLine(status >= 200 && status < 300 ? 'info' : 'error', text);
}

const logLine = (level: LogLine['level'], message: string): LogLine => ({ level, message, timestamp: timestamp() });

/** The value of `X-GitBook-Signature`: `seconds` is the time of the request in epoch seconds. */
export function signBody({ secret, seconds, body }: { secret: string; seconds: number; body: string }): string {
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${digest}`;
}
