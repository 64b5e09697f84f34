import { z } from 'zod';
import { oneLine } from '../links.js';
import {
  type ClientMessage,
  type Params,
  protocolVersions,
  type RpcError,
  rpcError,
  statelessVersion,
  unnamedVersion,
} from './messages.js';

/** Names in lower case, as Node gives them. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

export function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

const versionKey = 'io.modelcontextprotocol/protocolVersion';
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';

const metaOf = (params: Params): Record<string, unknown> =>
  z.object({ _meta: z.record(z.string(), z.unknown()) }).safeParse(params).data?._meta ?? {};

/** Characters that a header cannot carry come as base64 in marks. */
function decodedHeader(value: string): string {
  const [, base64] = /^=\?base64\?(.*)\?=$/s.exec(value) ?? [];
  return base64 === undefined ? value : Buffer.from(base64, 'base64').toString();
}

/** The parameter that the header `Mcp-Name` repeats. */
const namedBy = new Map([
  ['tools/call', 'name'],
  ['resources/read', 'uri'],
  ['prompts/get', 'name'],
]);

/** Why a request does not say in its headers what it says in its body: proxies act by the one, we by the other. */
function headerFault(headers: Headers, method: string, params: Params): string | undefined {
  if (headerOf(headers, 'mcp-protocol-version') !== metaOf(params)[versionKey])
    return `MCP-Protocol-Version and _meta["${versionKey}"] must be the same`;
  if (headerOf(headers, 'mcp-method') !== method) return 'Mcp-Method must be the method of the body';
  const parameter = namedBy.get(method);
  if (parameter === undefined) return undefined;
  const name = headerOf(headers, 'mcp-name');
  const isSame = name !== undefined && decodedHeader(name) === params[parameter];
  return isSame ? undefined : `Mcp-Name must be params.${parameter} of the body`;
}

/**
 * The protocol version that a message is written in: the header names it, or the message itself. Only those that begin with `initialize` may
 * leave it out.
 */
export function versionOf(headers: Headers, message: ClientMessage): { version: string } | { error: RpcError } {
  const named = headerOf(headers, 'mcp-protocol-version');
  const params = message.kind === 'answer' ? {} : message.params;
  const meta = metaOf(params);
  const version = meta[versionKey] ?? named ?? unnamedVersion;
  if (typeof version !== 'string' || !protocolVersions.includes(version))
    return rpcError('unsupportedVersion', 'Unsupported protocol version', {
      supported: protocolVersions,
      requested: oneLine(String(version), 100),
    });
  const isStateless = version === statelessVersion || named === statelessVersion;
  if (message.kind !== 'request' || !isStateless) return { version };
  const fault = headerFault(headers, message.method, params);
  if (fault !== undefined) return rpcError('headerMismatch', `Header mismatch: ${fault}`);
  return z.record(z.string(), z.unknown()).safeParse(meta[capabilitiesKey]).success
    ? { version }
    : rpcError('invalidParams', `_meta["${capabilitiesKey}"]: required`);
}
