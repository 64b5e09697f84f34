import { createRouter } from '../../services/gateway/api/router.js';
import { operations } from '../../services/gateway/contracts.js';
import { requestReader } from '../../shared/contract/validation.js';
import { failureOf } from '../../shared/errors/errors.js';
import { defaultBodyLimit } from '../../shared/http/body.js';
import { parseBody } from '../../shared/http/json-body.js';
import { type Answer, Client, type RequestOptions } from './server.js';
import { wholeTables } from './whole-tables.js';

const router = createRouter(operations);

interface Read {
  operation: string;
  /** The answer, where the request is refused before its operation is performed. */
  refusal?: Answer<any>;
}

/** Reads a request as gateway and service do; undefined where it leads to no operation. */
function read(method: string, url: URL, body: unknown): Read | undefined {
  if (!router.allowed(url.pathname).includes(method)) return undefined;
  const { operation, path, readQuery } = router.find(method, url.pathname);
  const sent = Buffer.from(operation.body && body !== undefined ? JSON.stringify(body) : '');
  if (sent.length > (operation.bodyLimit ?? defaultBodyLimit)) return { operation: operation.id };
  try {
    const query = readQuery(url.search.slice(1));
    requestReader(operation)({ path, query, body: sent.length > 0 ? parseBody(sent) : undefined });
    return { operation: operation.id };
  } catch (error) {
    const { status, message, reason } = failureOf(error);
    return {
      operation: operation.id,
      refusal: { status, headers: new Headers(), body: { error: { code: status, message, reason } } },
    };
  }
}

/**
 * A client for tables of bad input. What a request is refused for by the schemas of its contract is the same for everybody and at any time,
 * so such a request is read here as the server reads it, and only the first of each operation is sent; what the contract takes is always
 * sent, since a handler decides it. Where tables run whole, everything is sent.
 */
export class RefusalClient extends Client {
  private readonly refusedOnce = new Set<string>();
  private sent = 0;

  constructor({ url, token }: Client) {
    super(url, token);
  }

  override async request<T = any>(
    method: string,
    path: string,
    body?: unknown,
    options: RequestOptions = {},
  ): Promise<Answer<T>> {
    const usual = Object.keys(options).length === 0 && path.startsWith('/v1/');
    const { operation = '', refusal } = (usual && read(method, new URL(this.url + path), body)) || {};
    if (refusal && this.refusedOnce.has(operation) && !wholeTables) return refusal;
    this.sent++;
    const answer = await super.request<T>(method, path, body, options);
    if (!refusal) return answer;
    this.refusedOnce.add(operation);
    // What is read here would be worth nothing if the server read otherwise.
    expect([answer.status, answer.body]).toEqual([refusal.status, refusal.body]);
    return answer;
  }

  /** Whether anything was sent since it was last asked: only then a test has to look whether something was changed. */
  hasSent(): boolean {
    const sent = this.sent > 0;
    this.sent = 0;
    return sent;
  }
}
