import type { ReaderAnswer } from '../contract.js';
import { ownPath } from './own-path.js';

interface Visited {
  url: URL;
  /** The site is shown at the host of the API, beside others. */
  isOnBase: boolean;
  visit: { shown: { siteBasePath: string }; visitor: { until?: number } };
}

/** The longest time that a browser keeps who a visitor is, in seconds. */
const maxAge = 30 * 24 * 3600;

/** A cookie of a site on its own host counts there alone; beside other sites, it counts below the path of its site. */
function cookieOf({ url, isOnBase, visit }: Visited): { name: string; attributes: string } {
  const isSecure = url.protocol === 'https:';
  const path = isOnBase ? visit.shown.siteBasePath : '/';
  const prefix = !isSecure ? '' : path === '/' ? '__Host-' : '__Secure-';
  const attributes = [`Path=${path}`, 'HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure'] : [])].join('; ');
  return { name: `${prefix}visitor`, attributes };
}

/** Takes the token of a visitor out of the address and into a cookie, which ends with the token. */
export function rememberVisitor(visited: Visited, token: string, plain: URL): ReaderAnswer {
  const { name, attributes } = cookieOf(visited);
  const { until } = visited.visit.visitor;
  const seconds = until === undefined ? maxAge : Math.min(maxAge, Math.max(0, until - Math.floor(Date.now() / 1000)));
  return {
    status: 303,
    headers: {
      Location: ownPath(plain.pathname) + plain.search,
      'Cache-Control': 'no-store',
      'Set-Cookie': `${name}=${encodeURIComponent(token)}; Max-Age=${seconds}; ${attributes}`,
    },
    kind: 'redirect',
  };
}

/** Takes a cookie away. */
export function forgetVisitor(answer: ReaderAnswer, visited: Visited): ReaderAnswer {
  const { name, attributes } = cookieOf(visited);
  return {
    ...answer,
    headers: {
      ...answer.headers,
      'Cache-Control': 'private, no-store',
      'Set-Cookie': `${name}=; Max-Age=0; ${attributes}`,
    },
  };
}

/** Ends what this browser knows of its visitor, and leads to the start of the site. */
export function signOutVisitor(visited: Visited): ReaderAnswer {
  const { siteBasePath } = visited.visit.shown;
  const headers = { Location: siteBasePath, 'Cache-Control': 'no-store' };
  return forgetVisitor({ status: 303, headers, kind: 'redirect' }, visited);
}
