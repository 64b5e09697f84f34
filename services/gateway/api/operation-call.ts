import type { IncomingMessage } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { ServiceBroker } from 'moleculer';
import type { Caller } from '../../../shared/contract/caller.js';
import type { AnyOperation, Piece } from '../../../shared/contract/operation.js';
import type { Calling, Meta } from '../../../shared/contract/service.js';
import { failureOf, rethrowUnchanged } from '../../../shared/errors/errors.js';
import { networkOf } from '../../../shared/http/addresses.js';
import { BodyBudget, type OnPart, readBody } from '../../../shared/http/body.js';
import { scaleMs } from '../../../shared/settings/time-scale.js';
import { forgetCallersHere } from '../../identity/events.js';
import { eventsType, linesType, sendPieces } from '../http/lines.js';
import { type Exchange, knownVersions, sendAnswer } from '../http/reply.js';
import { headersNamed, idempotencyKeyOf } from '../http/request.js';
import { sendZip, type ZipSources } from '../http/zip.js';
import type { Match } from './router.js';

const mebibyte = 1024 * 1024;
/** Bodies that are held until they are answered. They come before it is known what their callers may do. */
const maxBodyBytes = { ofOwner: 128 * mebibyte, ofAll: 384 * mebibyte };

/** Milliseconds that a request may take behind the gateway. */
const deadlineMs = scaleMs(10_000);

/** Names those whose bodies are counted together: callers behind an untrusted proxy share one address, and no tenant may stop another. */
function bodyHolder(caller: Caller, network: string): string {
  if (caller.kind === 'user') return `user ${caller.user}`;
  if (caller.kind === 'installation') return `organization ${caller.organization}`;
  return caller.kind === 'integration' ? `organization ${caller.owner}` : network;
}

/** An answer, with what the service added to the meta of its call. */
interface Answered {
  answer: unknown;
  after: Meta | undefined;
}

/** Notes the organization that a call was about; returns what the service added to its meta. */
function noteCall(exchange: Exchange, { ctx }: Calling): Meta | undefined {
  exchange.organization = ctx?.meta.organization ?? '';
  return ctx?.meta;
}

/** Refusals that depend on what the caller is; nothing was done. */
const refusals = new Set<string>(['FORBIDDEN', 'NOT_FOUND']);

/** Caller, deadline and request id, which all calls of one request carry. */
export const metaFor = (caller: Caller, { requestId }: Exchange): Meta => ({
  caller,
  deadline: Date.now() + deadlineMs,
  requestId,
});

/** The versions of a versioned answer that the client has: its service then makes no answer in vain. */
function knownVersionsOf({ request, matched }: Exchange): { known?: string[] } {
  const header = request.headers['if-none-match'];
  return matched?.cache && header !== undefined ? { known: knownVersions(header) } : {};
}

/** Calls the action of an operation and sends its answer. */
export type OperationCall = (exchange: Exchange, match: Match, search: string) => Promise<void>;

export interface OperationCallOptions {
  broker: ServiceBroker;
  identify: (exchange: Exchange) => Promise<Caller>;
  /** Whether there may be other gateways: this one knows at once what it changes itself of users. */
  hasOthers: boolean;
  /** The caller of a request as it has been since a time of `performance.now`. */
  callerSince: (request: IncomingMessage, since: number) => Promise<Caller>;
  /** The IP address that a request comes from. */
  address: (request: IncomingMessage) => string;
  /** For answers that are archives. */
  files: ZipSources;
}

/** A request whose caller is known. */
interface Asking {
  match: Match;
  search: string;
  /** When the caller was asked for, and the milliseconds that it took. */
  began: number;
  identifiedMs: number;
}

export function createOperationCall(options: OperationCallOptions): OperationCall {
  const { broker, hasOthers, identify, callerSince, address, files } = options;
  const budget = new BodyBudget(maxBodyBytes);

  /** The meta of a call, with the client's network, address and headers where its caller or operation needs them. */
  function openMeta(operation: AnyOperation, exchange: Exchange, caller: Caller, deadline: number): Meta {
    const { request, requestId } = exchange;
    const meta: Meta = { caller, deadline, requestId };
    const { access, headers } = operation;
    if (access === 'public' || caller.kind === 'content') meta.network = networkOf(address(request));
    if (headers) meta.client = { address: address(request), headers: headersNamed(request, Object.keys(headers)) };
    return meta;
  }

  /** Whether what is kept of a caller may have changed without notice: at another gateway, or as an integration or a visitor. */
  const mayBeOutdated = ({ caller }: Exchange) => hasOthers || caller?.kind !== 'user';

  /** Calls as the caller that is kept. One that is refused is looked up again, and where it is not the same any more, so is the answer. */
  async function callAsNow(exchange: Exchange, began: number, call: (by: Caller) => Calling): Promise<Answered> {
    const caller = exchange.caller as Caller;
    const called = call(caller);
    try {
      return { answer: await called, after: noteCall(exchange, called) };
    } catch (error) {
      noteCall(exchange, called);
      if (!refusals.has(failureOf(error).type) || !mayBeOutdated(exchange)) throw error;
      const now = await callerSince(exchange.request, began);
      if (isDeepStrictEqual(now, caller)) throw error;
      exchange.caller = now;
      const again = call(now);
      const answer = await again.finally(() => noteCall(exchange, again));
      return { answer, after: again.ctx?.meta };
    }
  }

  async function callForAnswer(exchange: Exchange, { match, search, began, identifiedMs }: Asking, onPart?: OnPart) {
    const { operation, path, readQuery } = match;
    const query = readQuery(search);
    const body = onPart && (await readBody(exchange.request, operation, onPart));
    const safe = operation.safe ?? operation.method === 'GET';
    const key = safe ? undefined : idempotencyKeyOf(exchange.request);
    const { timeoutMs = deadlineMs } = operation;
    const optionsFor = (by: Caller, deadline = Date.now() + timeoutMs) => ({
      meta: openMeta(operation, exchange, by, deadline),
      timeout: Math.max(1, deadline - Date.now()),
      safe,
      repeatable: safe || key !== undefined,
    });
    // A slow client's time to send its body does not count.
    const deadline = Date.now() + timeoutMs - identifiedMs;
    // Rights may have been taken away while the body came, or a moment ago. A read may be a second late, a change may not.
    const mustBeNew = !safe && mayBeOutdated(exchange);
    if (operation.body || mustBeNew)
      exchange.caller = await callerSince(exchange.request, mustBeNew ? began : 0).catch(rethrowUnchanged);
    const called = callAsNow(exchange, began, (by) =>
      broker.call(operation.action, { path, query, body, key, ...knownVersionsOf(exchange) }, optionsFor(by, deadline)),
    );
    const { answer, after } = await (safe ? called.catch(rethrowUnchanged) : called);
    if (after?.callerChanged) forgetCallersHere(broker);
    if (after?.replayed) exchange.headers['Idempotent-Replayed'] = 'true';
    const tags = cacheTagsOf(operation, { path, query, body }, answer);
    if (tags) exchange.headers[cacheTagHeader] = tags;
    if (operation.lines || operation.events || operation.zip) {
      const pieceAfter = async (after: string) => {
        // A long answer ends early where its caller loses access.
        const by = await identify(exchange);
        return broker.call<Piece, unknown>(
          operation.action,
          { path, query: { ...query, after }, body },
          optionsFor(by),
        );
      };
      const pieces = { first: answer as Piece, pieceAfter };
      if (operation.zip) return sendZip(exchange, { name: operation.zip, ...pieces }, files);
      return sendPieces(exchange, { type: operation.events ? eventsType : linesType, ...pieces });
    }
    const { version, cacheControl, unchanged } = after ?? {};
    await sendAnswer(exchange, operation, { answer, version, cacheControl, unchanged });
  }

  return async (exchange, match, search) => {
    const began = performance.now();
    const caller = await identify(exchange);
    exchange.caller = caller;
    const asking = { match, search, began, identifiedMs: performance.now() - began };
    if (!match.operation.body) return callForAnswer(exchange, asking);
    const holder = bodyHolder(caller, networkOf(address(exchange.request)));
    return budget.holdWhile(holder, (onPart) => callForAnswer(exchange, asking, onPart));
  };
}

/** Read by renderers: they drop a cached answer when one of its tags is revalidated. */
const cacheTagHeader = 'X-Gitbook-Cache-Tag';

interface TaggedRequest {
  path: Record<string, string>;
  query: unknown;
  body: unknown;
}

/** The tags of an answer: the one of the resource that was read, and those that the operation adds. Null without tags. */
function cacheTagsOf(operation: AnyOperation, { path, query, body }: TaggedRequest, answer: unknown): string | null {
  const { access, cacheTags, method } = operation;
  const kind = method === 'GET' && access !== 'public' ? access.on : undefined;
  const id = access !== 'public' && access.id ? path[access.id] : undefined;
  const own = kind?.cacheTag && id !== undefined ? [`${kind.cacheTag}:${id}`] : [];
  const tags = [...own, ...(cacheTags?.({ path, query, body }, answer) ?? [])].filter((tag) =>
    /^[\w.:-]{1,300}$/.test(tag),
  );
  return tags.length > 0 ? tags.join(',') : null;
}
