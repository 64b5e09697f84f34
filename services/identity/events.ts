/** Tokens were revoked or memberships changed: caches of callers are dropped. Its life is short anyway. */
export const callersChanged = 'identity.callersChanged';
export interface CallersChanged {
  user: string;
}
