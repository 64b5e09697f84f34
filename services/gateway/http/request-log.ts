import type { Caller } from '../../../shared/contract/caller.js';
import type { AnyOperation } from '../../../shared/contract/operation.js';
import type { Exchange } from './reply.js';

/** Path parameters that are enough to sign in or to join. */
const secret = /^\{(code|inviteId)\}$/;
/** Starts the address of a screen that is enough to join. */
const joining = /^(\/app\/join\/[^/]*\/).+/s;
/** Starts the address of an upload, which is enough to send it. */
const uploading = /^(\/~uploads\/).+/s;
const maxPathLength = 1000;

/** A path for the log: secrets are replaced by their names. Queries may hold secrets too and are not logged. */
export function loggablePath(path: string, operation: AnyOperation | undefined): string {
  const names = operation?.path.split('/') ?? [];
  const segments = path.split('/').map((segment, at) => {
    const name = names[at - 1] ?? '';
    return secret.test(name) ? name : segment;
  });
  return segments.join('/').replace(joining, '$1{inviteId}').replace(uploading, '$1{token}').slice(0, maxPathLength);
}

/** The caller of a request, as far as it is known. */
function callerFields(caller: Caller | undefined): object {
  if (caller === undefined) return {};
  const { kind } = caller;
  switch (kind) {
    case 'user':
      return { caller: kind, user: caller.user };
    case 'content':
      return { caller: kind, site: caller.site };
    case 'integration':
      return { caller: kind, integration: caller.integration };
    case 'installation':
      return { caller: kind, integration: caller.integration, installation: caller.installation };
    default:
      return { caller: kind };
  }
}

/** The fields of a request in the log. */
export const requestFields = (
  { request, requestId, path, matched, operation, organization, caller }: Exchange,
  { status, ms, address }: { status: number; ms: number; address: string },
): object => ({
  requestId,
  method: request.method,
  path: loggablePath(path, matched),
  operation,
  ...(organization ? { organization } : {}),
  status,
  ms,
  address,
  ...callerFields(caller),
});
