/** A path as an address on the same host: one that began with two slashes would name another host. */
export const ownPath = (path: string): string => path.replace(/^[/\\]+/, '/');
