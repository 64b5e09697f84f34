import type { IncomingMessage } from 'node:http';
import { decodeJwt } from 'jose';
import type { Authentication } from '../api/authentication.js';

/** The beginning of API tokens. */
const prefix = 'bnd_';

/** Tells whether a request carries a token of ours, valid or not: it is for the API, whoever sent it somewhere else. */
export const ownTokens =
  ({ authentication, baseUrl }: { authentication: Authentication; baseUrl: string }) =>
  async (request: IncomingMessage): Promise<boolean> => {
    const { authorization } = request.headers;
    if (authorization === undefined) return false;
    const [scheme = '', token = ''] = authorization.split(' ');
    if (scheme.toLowerCase() === 'basic') return Buffer.from(token, 'base64').toString('latin1').includes(prefix);
    if (authorization.includes(prefix) || issuerOf(token) === baseUrl) return true;
    if (scheme.toLowerCase() !== 'bearer') return false;
    try {
      return (await authentication.callerOf(request)).kind !== 'anonymous';
    } catch (error) {
      if ((error as { type?: string }).type === 'UNAUTHENTICATED') return false;
      throw error;
    }
  };

function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}
