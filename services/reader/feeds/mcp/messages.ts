import { z } from 'zod';

/** Versions whose clients begin with `initialize`, the latest first. */
export const sessionVersions = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;
/** The version that says all about itself in each request. */
export const statelessVersion = '2026-07-28';
export const protocolVersions: readonly string[] = [statelessVersion, ...sessionVersions];
/** The version of clients that name none: the header came with the one after it. */
export const unnamedVersion = '2025-03-26';

/** Codes of JSON-RPC 2.0, and those that the protocol adds. */
export const errorCodes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  /** A resource, until 2025-11-25. */
  resourceNotFound: -32002,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

export type Params = Record<string, unknown>;
export type Result = Record<string, unknown>;

/** The error of one message. */
export interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}
export type Outcome = { result: Result } | { error: RpcError };

export const rpcError = (name: keyof typeof errorCodes, message: string, data?: unknown): { error: RpcError } => ({
  error: { code: errorCodes[name], message, ...(data === undefined ? {} : { data }) },
});

export type RequestId = string | number;

/** A message that a client may send. Notifications have no id; answers concern requests that this server never sends. */
export type ClientMessage =
  | { kind: 'request'; id: RequestId; method: string; params: Params }
  | { kind: 'notification'; method: string; params: Params }
  | { kind: 'answer' };

const idSchema = z.union([z.string().max(256), z.number().int()]);
const calledSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: idSchema.optional(),
  method: z.string().min(1).max(256),
  params: z.record(z.string(), z.unknown()).optional(),
});
const answerSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: idSchema,
  method: z.never().optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
});

/** The id of a message that is wrong otherwise, so that the client finds its request. */
export const idOf = (value: unknown): RequestId | null => z.object({ id: idSchema }).safeParse(value).data?.id ?? null;

/** Reads one message; undefined for what is none. */
export function readMessage(value: unknown): ClientMessage | undefined {
  const called = calledSchema.safeParse(value);
  if (called.success) {
    const { id, method, params = {} } = called.data;
    return id === undefined ? { kind: 'notification', method, params } : { kind: 'request', id, method, params };
  }
  const answer = answerSchema.safeParse(value);
  const isAnswer = answer.success && (answer.data.result !== undefined || answer.data.error !== undefined);
  return isAnswer ? { kind: 'answer' } : undefined;
}
