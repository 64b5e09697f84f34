import type { Blobs } from '../../../../shared/blobs/port.js';
import type { Outbound } from '../../../../shared/outbound/client.js';
import { OutboundFailed, OutboundRefused } from '../../../../shared/outbound/failure.js';
import type { HeldBytes } from '../../../../shared/work/held-bytes.js';
import { programOf } from '../../catalogue/find.js';
import type { IntegrationDocument } from '../../catalogue/model.js';
import { standingTunnel } from '../../catalogue/tunnels.js';
import { readConfiguration } from '../../installations/configurations/stored-configurations.js';
import { type EnvironmentDependencies, makeEnvironment } from '../../installations/environment/environment.js';
import type { InstallationDocument } from '../../installations/model.js';
import { type Dispatch, type Outcome, type Runtime, RuntimeFailure } from '../../runtime/runtime.js';
import { sendWebhook } from '../../webhooks/send.js';
import type { EventPlace } from '../queue/model.js';
import type { EventPayload } from '../queue/payloads.js';

export interface DispatchDependencies extends EnvironmentDependencies {
  blobs: Blobs;
  runtime: Runtime;
  outbound: Outbound;
  /** Bodies of scripts and of developers' machines that are held in memory. */
  bodies: HeldBytes;
}

export interface DispatchedEvent {
  integration: IntegrationDocument;
  /** Absent outside of any installation, and once it is gone. */
  installation?: InstallationDocument | undefined;
  place?: EventPlace | undefined;
  event: EventPayload;
  /** The body of the request that the event is about. */
  body?: Buffer | undefined;
  /** The installation as it was before it was removed. */
  before?: string | undefined;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** A script answers this to an event of a type that it does not handle. */
export const notHandled = 406;

/**
 * The one way by which an event reaches the code of an integration: its script, the machine of somebody who develops it, or, for one that comes
 * with Bindery, code of ours. Rejects with a `RuntimeFailure` where there is no answer.
 */
export async function dispatchEvent(deps: DispatchDependencies, dispatched: DispatchedEvent): Promise<Outcome> {
  const { integration, installation, place, event, body, before, timeoutMs, signal } = dispatched;
  const program = programOf(deps, integration);
  if (!program) {
    const configuration = installation ? await readConfiguration(deps, installation) : {};
    const { organization = '' } = installation ?? integration;
    return sendWebhook(deps, { organization, configuration, event, signal });
  }
  const tunnel = leadsToDeveloper(integration, installation) ? await standingTunnel(deps, integration) : undefined;
  const environment = await makeEnvironment(deps, { integration, installation, place, before, tunnel: tunnel?.id });
  const dispatch = { event, environment, ...(body ? { body } : {}), timeoutMs };
  if (tunnel)
    return askDeveloper(deps, { ...dispatch, organization: program.organization, tunnelUrl: tunnel.url, signal });
  return deps.runtime.dispatch(program, dispatch);
}

/** Whether events go to whoever develops the integration: those of other organizations only where they asked for them. */
const leadsToDeveloper = (
  { dev, organization }: Pick<IntegrationDocument, 'dev' | 'organization'>,
  installation: InstallationDocument | undefined,
): boolean => dev !== undefined && (dev.all || !installation || installation.organization === organization);

const maxRead = 5 * 1024 * 1024;
/** Headers that no longer fit the body, which arrives unpacked. */
const transport = new Set(['content-encoding', 'content-length', 'transfer-encoding', 'connection', 'keep-alive']);

interface AskedDeveloper extends Dispatch {
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
