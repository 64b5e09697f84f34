import type { Outbound } from '../../../../shared/outbound/client.js';
import { OutboundFailed, OutboundRefused } from '../../../../shared/outbound/failure.js';
import type { HeldBytes } from '../../../../shared/work/held-bytes.js';
import { type Dispatch, type Outcome, RuntimeFailure } from '../../runtime/runtime.js';

const maxRead = 5 * 1024 * 1024;
/** Headers that no longer fit the body, which arrives unpacked. */
const transport = new Set(['content-encoding', 'content-length', 'transfer-encoding', 'connection', 'keep-alive']);

export interface AskedDeveloper extends Dispatch {
  /** The organization of the integration. */
  organization: string;
  tunnelUrl: string;
  signal?: AbortSignal | undefined;
}

/** Sends an event to the machine of somebody who develops an integration, in the form in which a script gets it. */
export async function askDeveloper(
  { outbound, bodies }: { outbound: Outbound; bodies: HeldBytes },
  { organization, tunnelUrl, event, environment, body, timeoutMs, signal }: AskedDeveloper,
): Promise<Outcome> {
  const form = new FormData();
  form.append('event', JSON.stringify(event));
  form.append('environment', JSON.stringify(environment));
  if (body) form.append('fetch-body', new Blob([Uint8Array.from(body)]));
  const encoded = new Response(form);
  const holding = bodies.hold(organization);
  try {
    const answer = await outbound.fetch(`${tunnelUrl.replace(/\/+$/, '')}/v1`, {
      owner: organization,
      method: 'POST',
      headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
      body: new Uint8Array(await encoded.arrayBuffer()),
      timeoutMs,
      maxBytes: maxRead,
      maxRedirects: 0,
      onPart: (bytes) => {
        if (!holding.add(bytes)) throw new OutboundRefused('too many large answers are under way at the same time');
      },
      ...(signal ? { signal } : {}),
    });
    const { status, headers } = answer;
    const own = Object.entries(headers).filter(([name]) => !transport.has(name));
    return { status, headers: own, body: answer.body, ended: Promise.resolve([]) };
  } catch (error) {
    if (!(error instanceof OutboundFailed || error instanceof OutboundRefused)) throw error;
    const reason = error instanceof OutboundFailed && error.reason === 'timeout' ? 'time' : 'start';
    throw new RuntimeFailure(reason, `the developer's machine: ${error.message}`);
  } finally {
    holding.release();
  }
}
