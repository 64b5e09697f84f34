import { decodeJwt } from 'jose';
import { sortKeys } from '../../../shared/text/canonical.js';
import type { EventRow } from '../events/model.js';
import type { Session } from '../events/resources.js';

type Claims = Record<string, unknown>;

const maxCharacters = 4096;
const maxLevels = 12;
const maxLeaves = 100;

/** The claims of a visitor, which nobody has verified. */
export function unverifiedClaims(session: Pick<Session, 'visitorAuthClaims' | 'visitorAuthToken'>): Claims {
  return session.visitorAuthClaims ?? (session.visitorAuthToken ? tokenClaims(session.visitorAuthToken) : {});
}

function tokenClaims(token: string): Claims {
  try {
    const { exp, iat, nbf, ...claims } = decodeJwt(token);
    return claims;
  } catch {
    return {};
  }
}

/** Explains, for a 400, why claims are too large to be stored; undefined if they are not. */
export function claimsProblem(claims: Claims): string | undefined {
  // First, as it bounds the stack of all that follows.
  if (levelsExceed(claims, maxLevels)) return `more than ${maxLevels} levels of claims`;
  if (claimLeaves(claims).length > maxLeaves) return `more than ${maxLeaves} claims`;
  if (JSON.stringify(claims).length > maxCharacters) return `more than ${maxCharacters} characters of claims`;
  return undefined;
}

/** The columns of an event for claims that have no problem. */
export function claimColumns(claims: Claims): Pick<EventRow, 'claims' | 'claimValues'> {
  if (isEmpty(claims)) return {};
  const sorted = sortKeys(claims);
  return { claims: JSON.stringify(sorted), claimValues: Object.fromEntries(claimLeaves(sorted)) };
}

function levelsExceed(value: unknown, max: number): boolean {
  if (!isContainer(value)) return false;
  return max === 0 || Object.values(value).some((inner) => levelsExceed(inner, max - 1));
}

/** The values that hold no further claims, by their dotted paths. An array is one value. */
function claimLeaves(claims: Claims, prefix = ''): [path: string, value: string][] {
  return Object.entries(claims).flatMap(([name, value]) => {
    const path = prefix + name;
    if (!isObject(value) || isEmpty(value)) return [[path, claimText(value)]];
    return claimLeaves(value, `${path}.`);
  });
}

const claimText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isObject = (value: unknown): value is Claims => isContainer(value) && !Array.isArray(value);

function isEmpty(claims: Claims): boolean {
  for (const _ in claims) return false;
  return true;
}
