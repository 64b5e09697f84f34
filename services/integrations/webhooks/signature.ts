import { createHmac } from 'node:crypto';

/** The value of `X-GitBook-Signature`: `seconds` is the time of the request in epoch seconds. */
export function signatureOf({ secret, seconds, body }: { secret: string; seconds: number; body: string }): string {
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${digest}`;
}
