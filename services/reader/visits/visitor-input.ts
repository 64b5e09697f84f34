import type { VisitSite } from '../../sites/contract.js';

/** Everything that a request says about its visitor. */
export interface VisitorInput {
  given: VisitSite['visitor'];
  /** The token came in the address: it goes into a cookie. */
  tokenInAddress?: string;
  /** Nothing: any visitor gets the same answer. */
  isAnonymous: boolean;
}

const tokenParameter = 'jwt_token';
const claimParameter = 'visitor.';
/** Cookies with the token: ours, and those that pages set for other renderers, which name the path of the site after a tilde. */
const tokenCookie = /^(?:__Host-visitor|__Secure-visitor|visitor|gitbook-visitor-token(?:~[\w=+/-]*)?)$/;
const claimsCookie = 'gitbook-visitor-public';

const maxClaims = 50;
const maxValue = 1000;

/** Cookies of a request by their names; of two with one name, the first. */
export function cookiesOf(header = ''): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const part of header.split(';')) {
    const at = part.indexOf('=');
    const name = part.slice(0, at).trim();
    if (name !== '' && at > 0 && !cookies.has(name)) cookies.set(name, decoded(part.slice(at + 1).trim()));
  }
  return cookies;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Reads who a visitor is: a token from the address or a cookie, and claims that nobody signed. */
export function visitorInputOf(url: URL, cookieHeader: string | undefined): VisitorInput {
  const cookies = cookiesOf(cookieHeader);
  const tokenInAddress = url.searchParams.get(tokenParameter) || undefined;
  const [, tokenInCookie] = [...cookies].find(([name]) => tokenCookie.test(name)) ?? [];
  const unsignedClaims = claimsOf(url, cookies);
  // The name of such a cookie may end with the padding of base64.
  const jwtToken = tokenInAddress ?? (tokenInCookie?.replace(/^=+/, '') || undefined);
  const hasClaims = Object.keys(unsignedClaims).length > 0;
  return {
    given: { ...(jwtToken === undefined ? {} : { jwtToken }), ...(hasClaims ? { unsignedClaims } : {}) },
    ...(tokenInAddress === undefined ? {} : { tokenInAddress }),
    isAnonymous: jwtToken === undefined && !hasClaims,
  };
}

function claimsOf(url: URL, cookies: ReadonlyMap<string, string>): Record<string, unknown> {
  const claims: Record<string, unknown> = {};
  for (const [name, value] of cookies) if (name.startsWith(claimsCookie)) Object.assign(claims, objectIn(value));
  const parameters = [...url.searchParams].filter(([name]) => name.startsWith(claimParameter)).slice(0, maxClaims);
  for (const [name, value] of parameters) setClaim(claims, name.slice(claimParameter.length).split('.'), value);
  return claims;
}

function objectIn(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

/** Sets a claim by its path. A path that leads through another value is left out. */
function setClaim(claims: Record<string, unknown>, path: string[], text: string): void {
  const forbidden = path.some((name) => name === '' || name === '__proto__');
  if (forbidden || path.length > 5) return;
  let place = claims;
  for (const name of path.slice(0, -1)) {
    place[name] ??= {};
    const inner = place[name];
    if (typeof inner !== 'object' || inner === null) return;
    place = inner as Record<string, unknown>;
  }
  place[path.at(-1) as string] = claimValue(text.slice(0, maxValue));
}

const claimValue = (text: string): unknown => (text === 'true' ? true : text === 'false' ? false : text);

/** The address without what is for us alone. */
export function withoutVisitor(url: URL): URL {
  const plain = new URL(url);
  for (const name of [...plain.searchParams.keys()]) if (name === tokenParameter) plain.searchParams.delete(name);
  return plain;
}
