import type { IncomingMessage } from 'node:http';
import type { ServiceBroker } from 'moleculer';
import { system } from '../../../shared/contract/caller.js';
import { callFrom } from '../../../shared/contract/service.js';
import { networkOf } from '../../../shared/http/addresses.js';
import { BodyBudget, readBytes } from '../../../shared/http/body.js';
import { scaleMs } from '../../../shared/settings/time-scale.js';
import { type GitHook, hookHeaders, receiveGitHook } from '../../content/contract.js';
import { metaFor } from '../api/operation-call.js';
import { type Exchange, sendContent } from '../http/reply.js';
import { checkMethod } from '../http/request.js';

const hooksPath = /^\/~git\/hooks\/([A-Za-z0-9]{1,64})$/;

const mebibyte = 1024 * 1024;
/** Larger ones are found by looking at the branch. */
const maxBodySize = 5 * mebibyte;
const maxBodyBytes = { ofOwner: 20 * mebibyte, ofAll: 100 * mebibyte };
const deadlineMs = scaleMs(10_000);

export const isHookPath = (path: string): boolean => path.startsWith('/~git/');

export interface HooksOptions {
  broker: ServiceBroker;
  /** The IP address that a request comes from. */
  address: (request: IncomingMessage) => string;
}

/** Takes the webhooks of repositories: 202 for one that is about the branch of a connection, else 200. */
export function createGitHooks({ broker, address }: HooksOptions) {
  const budget = new BodyBudget(maxBodyBytes);
  return async (exchange: Exchange): Promise<string> => {
    const { request, path } = exchange;
    exchange.operation = 'gitHook';
    const [, installation = ''] = hooksPath.exec(path) ?? [];
    checkMethod(request, ['POST']);
    const { taken } = await budget.holdWhile(networkOf(address(request)), async (onPart) => {
      const body = (await readBytes(request, maxBodySize, onPart)).toString('base64');
      const call = callFrom(broker, { ...metaFor(system, exchange), deadline: Date.now() + deadlineMs });
      return call(receiveGitHook, { installation, headers: headersOf(request), body });
    });
    await sendContent(exchange, taken ? 202 : 200, undefined);
    return exchange.operation;
  };
}

const headersOf = ({ headers }: IncomingMessage): GitHook['headers'] =>
  Object.fromEntries(
    hookHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );
