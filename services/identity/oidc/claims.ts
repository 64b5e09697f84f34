import { z } from 'zod';
import { forbidden } from '../../../shared/errors/errors.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import { domainOfEmail } from '../organizations/email-domains.js';
import type { OidcProviderDocument } from '../organizations/model.js';
import type { SignedInPerson } from '../single-sign-on/admission.js';

export type Claims = Record<string, unknown>;

const refuse = (why: string) => forbidden(`The identity provider did not say enough: ${why}`, 'sign_in_rejected');

const emailSchema = z.email().max(254);
/** Groups of one person that are looked at. */
const maxGroups = 1000;

/** Whether claims lack something that the userinfo endpoint may know. */
export const lacksClaims = (claims: Claims, { groupsClaim }: Pick<OidcProviderDocument, 'groupsClaim'>): boolean =>
  claims.email === undefined ||
  (claims.email_verified === undefined && claims.xms_edov === undefined) ||
  (groupsClaim !== undefined && claims[groupsClaim] === undefined);

/** Adds what the userinfo endpoint knows. It vouches for the address that it names, and for no other. */
export function withUserInfo(claims: Claims, { email_verified, xms_edov, ...more }: Claims): Claims {
  const isSame = claims.email === undefined || claims.email === more.email;
  return { ...more, ...(isSame ? omitUndefined({ email_verified, xms_edov }) : {}), ...claims };
}

/** Reads a person from verified claims. Throws 403 without a proven address, or with one of another domain. */
export function personOfClaims(
  claims: Claims,
  { emailDomains }: Pick<OidcProviderDocument, 'emailDomains'>,
): SignedInPerson {
  const email = emailSchema.safeParse(claims.email);
  if (!email.success) throw refuse('its claims hold no e-mail address (`email`)');
  if (!isEmailVerified(claims)) throw refuse('it has not verified your e-mail address (`email_verified`)');
  const address = email.data.toLowerCase();
  if (emailDomains.length > 0 && !emailDomains.includes(domainOfEmail(address)))
    throw forbidden('Your e-mail address is of no domain that may sign in here', 'sign_in_rejected');
  return omitUndefined({ email: address, displayName: nameOf(claims), endsAt: sessionEndOf(claims) });
}

/**
 * Whether the provider vouches for the address. Entra ID never sends `email_verified`, but can say that the owner of the domain is known to it
 * (`xms_edov`); that never outweighs an `email_verified` of false.
 */
function isEmailVerified({ email_verified: verified, xms_edov: ownerVerified }: Claims): boolean {
  if (verified !== undefined) return verified === true;
  return ownerVerified === true || ownerVerified === 1 || ownerVerified === '1';
}

function nameOf({ name, given_name: given, family_name: family }: Claims): string | undefined {
  const parts = typeof name === 'string' ? [name] : [given, family].filter((part) => typeof part === 'string');
  const text = parts
    .join(' ')
    .slice(0, 1000)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return text === '' ? undefined : text;
}

/** The end of the session at the provider, where it says so (OpenID Connect Enterprise Extensions). */
function sessionEndOf({ session_expiry: seconds }: Claims): number | undefined {
  if (typeof seconds !== 'number' || !Number.isFinite(seconds)) return undefined;
  if (seconds * 1000 <= Date.now()) throw refuse('your session there has ended');
  return seconds * 1000;
}

/**
 * Reads the groups of a person. Throws 403 where the provider says that they are too many to be sent: to take them for none would end rights that
 * they give.
 */
export function groupsOfClaims(claims: Claims, claim: string): Set<string> {
  const elsewhere = claims._claim_names;
  if (
    claims[claim] === undefined &&
    typeof elsewhere === 'object' &&
    elsewhere !== null &&
    Object.hasOwn(elsewhere, claim)
  )
    throw refuse(`you are in more groups than it sends (\`${claim}\`); an admin can have it send fewer`);
  const value = claims[claim];
  const items: unknown[] = Array.isArray(value) ? value : [value];
  if (items.length > maxGroups) throw refuse(`it names more than ${maxGroups} groups (\`${claim}\`)`);
  return new Set(items.filter((item) => typeof item === 'string'));
}
