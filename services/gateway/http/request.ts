import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { visit } from 'jsonc-parser';
import sjson from 'secure-json-parse';
import type { AnyOperation } from '../../../shared/contract/operation.js';
import { apiError, invalid } from '../../../shared/errors.js';

export const defaultBodyLimit = 1024 * 1024;

/** More levels than any document has. The bus would overflow its stack at about a hundred times as many. */
const deepest = 500;

/** Of all objects and arrays together: checking each against its schema takes time. */
const mostValues = 10_000;

const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MiB`;
const tooLarge = (limit: number) =>
  apiError('TOO_LARGE', `The body is larger than ${megabytes(limit)}, the limit of this operation`);

async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const jsonType = /^application\/([\w.+-]+\+)?json$/i;

/** A body without a Content-Type is read as JSON: some clients send none. */
function checkType({ headers }: IncomingMessage): void {
  const [type = ''] = String(headers['content-type'] ?? '').split(';', 1);
  if (headers['content-type'] !== undefined && !jsonType.test(type.trim()))
    throw apiError(
      'UNSUPPORTED_MEDIA_TYPE',
      `Send the body as application/json; its Content-Type is "${type.trim().slice(0, 100)}"`,
    );
  if (headers['content-encoding'] && headers['content-encoding'] !== 'identity')
    throw apiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without Content-Encoding');
}

/** Reads the JSON body; undefined without a body, or where the operation takes none. Throws 400, 413 or 415. */
export async function readBody(request: IncomingMessage, operation: AnyOperation): Promise<unknown> {
  if (!operation.body || !hasBody(request)) return undefined;
  checkType(request);
  const bytes = await readBytes(request, operation.bodyLimit ?? defaultBodyLimit);
  if (!isUtf8(bytes)) throw invalid('the body: not UTF-8');
  const body = parseJson(bytes.toString());
  if (bytes.length > 2 * deepest) checkExtent(body);
  return body;
}

function parseJson(text: string): unknown {
  try {
    return sjson.parse(text, undefined, { protoAction: 'remove', constructorAction: 'remove' });
  } catch {
    throw invalid(`the body: not JSON${placeOfFault(text)}`);
  }
}

/** Where a text stops being JSON, in words; empty where it is nested too deeply to find out. */
function placeOfFault(text: string): string {
  let fault: number | undefined;
  const stopAt = (offset: number) => {
    fault = offset;
    throw new Error('found');
  };
  try {
    visit(text, { onError: (_, offset) => stopAt(offset) }, { disallowComments: true });
  } catch {
    // Thrown by `stopAt`, or the stack has overflowed.
  }
  if (fault === undefined) return '';
  const before = text.slice(0, fault).split('\n');
  if (fault === text.length) return ', it ends too early';
  return `, at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}

/** Goes level by level: recursion would overflow on the very values that it looks for. */
function checkExtent(value: unknown): void {
  let level = [value];
  let values = 1;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) throw invalid(`the body: nested more than ${deepest} levels deep`);
    const below: unknown[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      const inner: unknown[] = Array.isArray(item) ? item : Object.values(item);
      values += inner.length;
      // Before they are copied: there may be millions.
      if (values > mostValues) throw invalid(`the body: more than ${mostValues} values`);
      below.push(...inner);
    }
    level = below;
  }
}

const requestIdPattern = /^[\w.:-]{1,128}$/;

/** The request id that a client chose, if it is valid. */
export function givenRequestId({ headers }: IncomingMessage): string | undefined {
  const given = headers['x-request-id'];
  return typeof given === 'string' && requestIdPattern.test(given) ? given : undefined;
}

export type Ranges = [ipaddr.IPv4 | ipaddr.IPv6, number][];
export const parseRanges = (cidrs: string[]): Ranges => cidrs.map((cidr) => ipaddr.parseCIDR(cidr));

export function isWithin(address: string, ranges: Ranges): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return ranges.some(
    ([network, bits]) => network.kind() === parsed.kind() && parsed.match(network as ipaddr.IPv4, bits),
  );
}

/** An address in normal form, without the port that some proxies add; undefined when it is not an address. */
function plainAddress(text: string): string | undefined {
  const hop = text.trim();
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;
  const known = ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare);
  return known ? ipaddr.process(bare).toString() : undefined;
}

/** The nearest address that is not a trusted proxy. `X-Forwarded-For` is believed only as far as trusted proxies wrote it. */
export function clientAddress(request: IncomingMessage, trusted: Ranges): string {
  const direct = request.socket.remoteAddress ?? '';
  let client = plainAddress(direct) ?? direct;
  const hops = String(request.headers['x-forwarded-for'] ?? '').split(',');
  while (isWithin(client, trusted)) {
    const before = plainAddress(hops.pop() ?? '');
    if (before === undefined) break;
    client = before;
  }
  return client;
}

/** The network that a request comes from, see `networkOf`. */
export const clientNetwork = (request: IncomingMessage, trusted: Ranges): string =>
  networkOf(clientAddress(request, trusted));

/** The network that counts as one client: an IPv4 address, or the /64 of an IPv6 address. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
