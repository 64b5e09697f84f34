import { newSecret } from '../../../shared/values/ids.js';
import { browserCookieName } from '../contract.js';

/** The value of a cookie in a `Cookie` header; empty without one. */
export function cookieNamed(header: string | undefined, name: string): string {
  const cookies = (header ?? '').split(';').map((cookie) => cookie.trim());
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
}

const browserMaxAge = 3600;

/**
 * The secret by which a browser that is not signed in proves that it is the one that a form was given to, or that began a sign-in. `set` is the cookie
 * for a browser without one.
 */
export function browserSecret(header: string | undefined, isSecure: boolean): { secret: string; set?: string } {
  const name = browserCookieName({ isSecure });
  const known = cookieNamed(header, name);
  if (/^[\w-]{43}$/.test(known)) return { secret: known };
  const secret = newSecret();
  return {
    secret,
    set: `${name}=${secret}; Path=/; Max-Age=${browserMaxAge}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
  };
}
