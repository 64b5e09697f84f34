/** Tokens were revoked or memberships changed: caches of callers are dropped. Their life is short anyway. */
export const callersChanged = 'identity.callersChanged';
