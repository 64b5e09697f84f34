/** The URL or its address is not allowed. The message is safe to show: it has no credentials and no resolved address. */
export class OutboundRefused extends Error {
  override readonly name = 'OutboundRefused';
}

export type OutboundReason = 'timeout' | 'too-large' | 'network' | 'redirects' | 'aborted' | 'invalid';

/** The request was allowed but did not succeed. The message is safe to show. */
export class OutboundFailed extends Error {
  override readonly name = 'OutboundFailed';

  constructor(
    readonly reason: OutboundReason,
    message: string,
  ) {
    super(message);
  }
}

export function refusedHost(host: string): OutboundRefused {
  return new OutboundRefused(notPublic(host));
}

export function notPublic(host: string): string {
  return `${host} is not a public address; the operator can allow it with OUTBOUND_ALLOW_CIDRS`;
}
