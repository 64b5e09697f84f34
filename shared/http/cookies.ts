/** The value of a cookie in a `Cookie` header; empty without one. */
export function cookieNamed(header: string | undefined, name: string): string {
  const cookies = (header ?? '').split(';').map((cookie) => cookie.trim());
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
}

/** The value of a cookie that holds a secret as `newSecret` makes it; empty for anything else. */
export function secretInCookie(header: string | undefined, name: string): string {
  const value = cookieNamed(header, name);
  return /^[\w-]{43}$/.test(value) ? value : '';
}
