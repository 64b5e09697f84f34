import { secretInCookie } from '../../../shared/http/cookies.js';
import { newSecret } from '../../../shared/values/ids.js';
import { browserCookieName } from '../contract.js';

const browserMaxAge = 3600;

/**
 * The secret by which a browser that is not signed in proves that it is the one that a form was given to, or that began a sign-in. `set` is the cookie
 * for a browser without one.
 */
export function browserSecret(header: string | undefined, isSecure: boolean): { secret: string; set?: string } {
  const name = browserCookieName({ isSecure });
  const known = secretInCookie(header, name);
  if (known !== '') return { secret: known };
  const secret = newSecret();
  return {
    secret,
    set: `${name}=${secret}; Path=/; Max-Age=${browserMaxAge}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
  };
}
