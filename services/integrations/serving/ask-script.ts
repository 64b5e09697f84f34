import type { Caller } from '../../../shared/contract/caller.js';
import type { Call } from '../../../shared/contract/service.js';
import { apiError } from '../../../shared/errors/errors.js';
import { scaleMs } from '../../../shared/settings/time-scale.js';
import { newId } from '../../../shared/values/ids.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import type { IntegrationDocument } from '../catalogue/model.js';
import { type DispatchDependencies, dispatchEvent } from '../deliveries/attempts/dispatch.js';
import { eventOwner } from '../deliveries/queue/kept-events.js';
import type { EventPlace } from '../deliveries/queue/model.js';
import type { LogLine } from '../deliveries/queue/resources.js';
import { type RecordingDependencies, recordEvent, withReason } from '../deliveries/records/record.js';
import type { InstallationDocument } from '../installations/model.js';
import { type Outcome, RuntimeFailure } from '../runtime/runtime.js';

export interface ServingDependencies extends DispatchDependencies, RecordingDependencies {
  /** Calls other services as another caller, after the caller's own access was checked here. */
  callAs: (caller: Caller) => Call;
}

/** The integration that answers, and the installation and place that it answers for. */
export interface Answerer {
  integration: IntegrationDocument;
  installation?: InstallationDocument;
  place?: EventPlace;
}

/** A question to a script while somebody waits for its answer. */
export interface Asked extends Answerer {
  type: string;
  /** The event besides its id, its type, the installation and the place. */
  data: object;
  body?: Buffer;
  timeoutMs: number;
}

/** Time for a process to start, or to become free, on top of the time for the answer. */
const marginMs = scaleMs(500);

/** The error for people who wait for a script that did not answer as it should. */
export const scriptFault = (why: string) =>
  apiError('UNPROCESSABLE', `The integration failed: ${why}`, 'integration_failed');

/**
 * Has a script answer an event at once, and keeps the event among those of its integration. Throws 422 where the script fails or takes too long,
 * 503 where it cannot be asked now.
 */
export async function askScript(deps: ServingDependencies, asked: Asked): Promise<Outcome> {
  const { integration, installation, place, type, body, timeoutMs } = asked;
  const event = { eventId: newId(), type, ...placeFields(asked), ...asked.data };
  const answer = dispatchEvent(deps, omitUndefined({ integration, installation, place, event, body, timeoutMs }));
  const recordOutcome = (isFailed: boolean, logs: LogLine[] | Promise<LogLine[]>) =>
    recordEvent(
      deps,
      omitUndefined({
        integration,
        installation: installation?._id,
        organization: eventOwner({ integration, installation }),
        place,
        event,
        isFailed,
        logs,
      }),
    );
  void answer.then(
    ({ status, ended }) => recordOutcome(status >= 500, ended),
    (error) => {
      if (error instanceof RuntimeFailure) recordOutcome(true, withReason(error.logs, error.message));
    },
  );
  const outcome = await rejectAfter(timeoutMs + marginMs, answer).catch(throwForPeople);
  if (isThrown(outcome)) throw scriptFault('its script threw an error, which the log of the event has');
  return outcome;
}

const placeFields = ({ installation, place }: Answerer): object =>
  omitUndefined({
    installationId: installation?._id,
    spaceId: place?.space === undefined ? undefined : place.space,
    siteId: place?.site === undefined ? undefined : place.site,
  });

/** Nobody waits longer; the event goes on. */
function rejectAfter<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(scriptFault(`no answer within ${Math.floor(ms / 1000)} s`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Turns a failure into an error for people. Why a script does not start is left out: that is for those who wrote it. */
function throwForPeople(error: unknown): never {
  if (!(error instanceof RuntimeFailure)) throw error;
  const { reason, message } = error;
  if (reason === 'busy' || reason === 'stopped')
    throw apiError('UNAVAILABLE', 'The integration is busy or being started again; try again', 'busy');
  throw scriptFault(reason === 'start' ? 'its script does not start' : message);
}

/** Whether it is the answer of our runtime for a script that threw, of workerd for one that waits for nothing, or of the official library. */
const isThrown = ({ status, body }: Outcome): boolean =>
  status === 500 && body.length < maxTextLength && errorTextOf({ body })?.toLowerCase() === 'internal server error';

/** The text of an error that a script answered, as `{error}` or as plain text; undefined without one. */
export function errorTextOf({ body }: Pick<Outcome, 'body'>): string | undefined {
  const text = body.subarray(0, maxTextLength).toString();
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === 'string' && error !== '' ? error : undefined;
  } catch {
    return text.trim() === '' || text.trimStart().startsWith('<') ? undefined : text;
  }
}

const maxTextLength = 1000;
